// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Files that Gertie reads and writes again, seen by the Khronos validator: no error that their source had not.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { program, temporaryFolder, validationErrors } from './support.mjs';

test('a GLB with everything in it is written without a validator error', async (t) => {
  const folder = temporaryFolder(t);
  for (const name of ['everything.glb', 'everything.gltf', 'name with spaces & more.gltf']) {
    const file = path.join(folder, name);
    program('rewrite', 'everything', file);
    assert.deepEqual(await validationErrors(file), [], name);
  }
});

test('seeds of the fuzzer that can be read are written without a new error', async (t) => {
  const folder = temporaryFolder(t);
  const corpus = new URL('../../fuzz/corpus/gltf/', import.meta.url).pathname;
  const seeds = fs.readdirSync(corpus).filter((name) => /\.gl(b|tf)$/.test(name));
  assert.ok(seeds.length > 5);
  for (const name of seeds) {
    const file = path.join(folder, `${name}.glb`);
    program('rewrite', path.join(corpus, name), file);
    const before = await errorCodes(path.join(corpus, name));
    for (const code of await errorCodes(file)) {
      assert.ok(before.includes(code), `${name}: ${code}`);
    }
  }
});

test('real files are written back without a new error', async (t) => {
  const data = process.env.GERTIE_DATA;
  if (!data || !fs.existsSync(data)) {
    t.skip('GERTIE_DATA names no folder of real files');
    return;
  }
  const folder = temporaryFolder(t);
  const names = ['rigged/CesiumMan', 'rigged/BrainStem', 'rigged/Fox', 'rigged/Xbot', 'rigged/RobotExpressive',
    'rigged/RiggedFigure', 'rigged/RiggedSimple', 'mesh-animation/Horse', 'mesh-animation/Flamingo'];
  for (const name of names) {
    const source = path.join(data, `${name}.glb`);
    const before = await errorCodes(source);
    for (const ending of ['glb', 'gltf']) {
      const file = path.join(folder, `${path.basename(name)}.${ending}`);
      program('rewrite', source, file);
      assert.deepEqual(await errorCodes(file), before, `${name}.${ending}`);
    }
  }
});

// What is wrong with a file, by the validator's codes, in order.
async function errorCodes(file) {
  return (await validationErrors(file)).map((line) => line.split(' ')[0]).sort();
}
