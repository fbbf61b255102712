// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Clips in files of their own, as games take them: the validator finds nothing wrong, and three.js plays them on the
// character's own file, bound by the names of joints, as it plays the clips of the whole file.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import * as THREE from 'three';
import { GLTFLoader } from 'three/examples/jsm/loaders/GLTFLoader.js';
import { readGlb, withoutImages, writeGlb } from './glb.mjs';
import { gertie, temporaryFolder, validationErrors } from './support.mjs';

const TIMES = 10;

async function load(file) {
  const bytes = writeGlb(withoutImages(readGlb(fs.readFileSync(file))));
  return new GLTFLoader().parseAsync(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length), '');
}

// Where all nodes of a scene are while it plays a clip, by their names.
function placesOf(gltf, clip) {
  const mixer = new THREE.AnimationMixer(gltf.scene);
  const action = mixer.clipAction(clip);
  action.setLoop(THREE.LoopOnce).clampWhenFinished = true;
  action.play();
  const places = [];
  for (let i = 0; i < TIMES; ++i) {
    mixer.setTime((clip.duration * i) / (TIMES - 1));
    gltf.scene.updateMatrixWorld(true);
    gltf.scene.traverse((object) => {
      if (object.isBone) places.push([object.name, object.getWorldPosition(new THREE.Vector3())]);
    });
  }
  mixer.stopAllAction();
  return places;
}

// The clips of `whole` and those of `alone` on the character of `whole`: every bone in the same place.
async function compare(t, whole, alone) {
  const one = await load(whole);
  const other = await load(alone);
  assert.equal(other.animations.length, one.animations.length);
  let meshes = 0;
  other.scene.traverse((object) => { meshes += object.isMesh ? 1 : 0; });
  assert.equal(meshes, 0);
  let farthest = 0;
  let moved = 0;
  for (const [i, clip] of one.animations.entries()) {
    const expected = placesOf(one, clip);
    const actual = placesOf(one, other.animations[i]);
    assert.ok(expected.length > TIMES * 10, 'there are bones');
    for (const [k, [name, place]] of expected.entries()) {
      assert.equal(actual[k][0], name);
      farthest = Math.max(farthest, place.distanceTo(actual[k][1]));
      moved = Math.max(moved, place.distanceTo(expected[k % (expected.length / TIMES)][1]));
    }
  }
  assert.ok(moved > 0.05, 'the clips move the character'); // or being equal would mean nothing
  assert.equal(farthest, 0);
  t.diagnostic(`${path.basename(alone)}: ${one.animations.length} clips, ${fs.statSync(alone).size} of ` +
    `${fs.statSync(whole).size} bytes`);
}

test('clips of the built-in person', async (t) => {
  const folder = temporaryFolder(t);
  const file = (name) => path.join(folder, name);
  gertie('sample', '-o', folder);
  const motions = ['walk.bvh', 'boxing.bvh'].map(file);
  gertie('retarget', file('person.glb'), ...motions, '-o', file('whole.glb'), '--fps', '30');
  gertie('retarget', file('person.glb'), ...motions, '-o', file('alone.glb'), '--fps', '30',
    '--animation-only');
  gertie('convert', file('whole.glb'), file('converted.glb'), '--animation-only');
  for (const name of ['alone.glb', 'converted.glb']) {
    assert.deepEqual(await validationErrors(file(name)), [], name);
    await compare(t, file('whole.glb'), file(name));
  }
});

const xbot = path.join(process.env.GERTIE_DATA ?? '', 'rigged/Xbot.glb');
const skip = process.env.GERTIE_DATA && fs.existsSync(xbot) ? false : 'needs GERTIE_DATA';
test('clips that Xbot came with', { skip }, async (t) => {
  const clips = path.join(temporaryFolder(t), 'clips.glb');
  gertie('convert', xbot, clips, '--animation-only');
  assert.deepEqual(await validationErrors(clips), []);
  await compare(t, xbot, clips);
});
