// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The demo, seen by others: what it writes has no validator error, and three.js plays the walk as we meant it.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import * as THREE from 'three';
import { GLTFLoader } from 'three/examples/jsm/loaders/GLTFLoader.js';
import { gertie, temporaryFolder, validationErrors } from './support.mjs';

function makeDemo(t) {
  const folder = temporaryFolder(t);
  const file = (name) => path.join(folder, name);
  gertie('sample', '-o', folder);
  gertie('animate', file('person.glb'), file('walk.bvh'), '-o', file('walk.glb'));
  gertie('convert', file('walk.bvh'), file('motion.glb'));
  gertie('convert', file('walk.glb'), file('walk.gltf'));
  return file;
}

test('what the demo writes has no validator error', async (t) => {
  const file = makeDemo(t);
  for (const name of ['person.glb', 'walk.glb', 'motion.glb', 'walk.gltf']) {
    assert.deepEqual(await validationErrors(file(name)), [], name);
  }
});

test('bare meshes that were rigged, and moved, have no validator error', async (t) => {
  const folder = temporaryFolder(t);
  const file = (name) => path.join(folder, name);
  gertie('sample', 'walk', '-o', file('walk.bvh'));
  gertie('sample', 'person', '--bare', '--triangles', '6000', '--pose', 'A', '--up', 'z', '-o', file('scan.ply'));
  gertie('rig', file('scan.ply'), '-o', file('rigged.glb'), '--influences', '6');
  gertie('rig', file('scan.ply'), '-o', file('own.glb'), '--skeleton', file('walk.bvh'));
  gertie('animate', file('scan.ply'), file('walk.bvh'), '-o', file('walking.glb'));
  gertie('animate', file('scan.ply'), file('walk.bvh'), '-o', file('bending.glb'), '--method', 'harmonic', '--fps', '10');
  for (const name of ['rigged.glb', 'own.glb', 'walking.glb', 'bending.glb']) {
    assert.deepEqual(await validationErrors(file(name)), [], name);
  }
});

test('three.js sees the figure walk: feet take turns on the ground, the head stays up', async (t) => {
  const bytes = fs.readFileSync(makeDemo(t)('walk.glb'));
  const gltf = await new GLTFLoader().parseAsync(
    bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length), '');
  const clip = gltf.animations[0];
  assert.ok(clip.duration > 0.5, `the walk lasts ${clip.duration} s`);
  const mixer = new THREE.AnimationMixer(gltf.scene);
  mixer.clipAction(clip).play();
  const height = (name) => gltf.scene.getObjectByName(name).getWorldPosition(new THREE.Vector3()).y;
  gltf.scene.updateMatrixWorld(true);
  const headAtRest = height('head');

  let leftLower = 0;
  let rightLower = 0;
  const steps = 48;
  for (let i = 0; i < steps; ++i) {
    mixer.setTime((clip.duration * i) / steps);
    gltf.scene.updateMatrixWorld(true);
    const difference = height('leftFoot') - height('rightFoot');
    leftLower += difference < -0.02;
    rightLower += difference > 0.02;
    assert.ok(Math.min(height('leftFoot'), height('rightFoot')) > 0, 'a foot sinks into the ground');
    assert.ok(Math.abs(height('head') - headAtRest) < 0.1 * headAtRest, `the head is at ${height('head')} m`);
  }
  assert.ok(leftLower > steps / 6 && rightLower > steps / 6, `left lower ${leftLower}, right lower ${rightLower} times`);
});
