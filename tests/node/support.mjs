// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What every test here needs: the programs under test, a folder to write into, and the Khronos validator.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import validator from 'gltf-validator';

const build = process.env.GERTIE_BUILD ?? fileURLToPath(new URL('../../build', import.meta.url));

// Run the command; its standard output comes back as text, and a failure throws with what it said.
export function gertie(...args) {
  return execFileSync(path.join(build, 'gertie'), args, { encoding: 'utf8', stdio: 'pipe' });
}

// Run a program of this folder (NAME.c); its standard output comes back as bytes.
export function program(name, ...args) {
  return execFileSync(path.join(build, 'tests', name), args, { stdio: 'pipe', maxBuffer: 1 << 30 });
}

// A new folder that is removed when the test ends.
export function temporaryFolder(test) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'gertie-'));
  test.after(() => fs.rmSync(folder, { recursive: true }));
  return folder;
}

// Errors that the Khronos validator finds in a .glb or .gltf file, one line each.
export async function validationErrors(file) {
  const report = await validator.validateBytes(new Uint8Array(fs.readFileSync(file)), {
    uri: path.basename(file),
    maxIssues: 0,
    externalResourceFunction: (uri) =>
      fs.promises.readFile(path.join(path.dirname(file), decodeURIComponent(uri))).then((bytes) => new Uint8Array(bytes)),
  });
  return report.issues.messages
    .filter((issue) => issue.severity === 0)
    .map((issue) => `${issue.code} at ${issue.pointer ?? issue.offset}: ${issue.message}`);
}
