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

test('events of a clip that loops, and its ends', async (t) => {
  const folder = temporaryFolder(t);
  const file = (name) => path.join(folder, name);
  gertie('sample', '-o', folder);
  gertie('sample', 'person', '--seed', '9', '-o', file('short.glb'));
  gertie('animate', file('short.glb'), file('walk.bvh'), '-o', file('walk.glb'), '--fps', '60', '--root', 'none', '--loop',
    '--animation-only');
  assert.deepEqual(await validationErrors(file('walk.glb')), []);
  const gltf = await load(file('walk.glb'));
  const clip = gltf.animations[0];
  const { events } = clip.userData; // glTF's extras
  const count = (name) => events.filter((event) => event.name === name).length;
  for (const side of ['left', 'right']) {
    assert.ok(count(`${side}Foot.down`) >= 3, 'four seconds have several steps');
    assert.equal(count(`${side}Foot.down`), count(`${side}Foot.up`));
  }
  const heightAt = (name, time) => {
    const mixer = new THREE.AnimationMixer(gltf.scene);
    mixer.clipAction(clip).play();
    mixer.setTime(time);
    gltf.scene.updateMatrixWorld(true);
    return gltf.scene.getObjectByName(name).getWorldPosition(new THREE.Vector3()).y;
  };
  for (const [i, { name, time_s: time }] of events.entries()) {
    assert.ok(i === 0 || time >= events[i - 1].time_s);
    assert.ok(time >= 0 && time < clip.duration);
    if (name.endsWith('.down') && time > 0.1) {
      const foot = name.slice(0, -'.down'.length);
      assert.ok(heightAt(foot, time) < heightAt(foot, time - 0.1), `${name} at ${time} s`);
    }
  }

  // Where the clip ends it begins, and speeds change there by no more than they do anywhere else.
  const frames = Math.round(clip.duration * 60);
  const mixer = new THREE.AnimationMixer(gltf.scene);
  const action = mixer.clipAction(clip);
  action.setLoop(THREE.LoopOnce).clampWhenFinished = true;
  action.play();
  const places = Array.from({ length: frames + 1 }, (_, i) => {
    mixer.setTime((clip.duration * i) / frames);
    gltf.scene.updateMatrixWorld(true);
    const bones = [];
    gltf.scene.traverse((object) => { if (object.isBone) bones.push(object.getWorldPosition(new THREE.Vector3())); });
    return bones;
  });
  const farthest = (one, other) => Math.max(...one.map((place, i) => place.distanceTo(other[i])));
  const change = (before, at, after) => 60 * farthest(
    at.map((place, i) => place.clone().sub(before[i])), after.map((place, i) => place.clone().sub(at[i])));
  const gap = farthest(places[0], places[frames]);
  const seam = change(places[frames - 1], places[0], places[1]);
  let inside = 0;
  for (let i = 1; i < frames; ++i) inside = Math.max(inside, change(places[i - 1], places[i], places[i + 1]));
  t.diagnostic(`ends ${(1e3 * gap).toFixed(3)} mm apart; speeds change by ${seam.toFixed(2)} m/s at the seam, by up to ` +
    `${inside.toFixed(2)} m/s inside`);
  assert.ok(gap < 1e-5);
  assert.ok(seam <= inside && inside < 1);
});

const xbot = path.join(process.env.GERTIE_DATA ?? '', 'rigged/Xbot.glb');
const skip = process.env.GERTIE_DATA && fs.existsSync(xbot) ? false : 'needs GERTIE_DATA';
test('clips that Xbot came with', { skip }, async (t) => {
  const clips = path.join(temporaryFolder(t), 'clips.glb');
  gertie('convert', xbot, clips, '--animation-only');
  assert.deepEqual(await validationErrors(clips), []);
  await compare(t, xbot, clips);
});
