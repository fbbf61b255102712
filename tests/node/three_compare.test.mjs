// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Vertices posed by three.js and by us are the same: every clip at ten times, within 1e-5 of the bounding box.
// (BrainStem comes nearest to that: its rotations are up to 4e-6 off unit length, which we make good and three.js keeps.)

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import * as THREE from 'three';
import { GLTFLoader } from 'three/examples/jsm/loaders/GLTFLoader.js';
import { GlbBuilder, readGlb, withoutImages, writeGlb } from './glb.mjs';
import { gertie, program, temporaryFolder } from './support.mjs';

const TIMES = 10;
const TOLERANCE = 1e-5;

// Every mesh of the scene under "node mesh primitive".
function meshesByPlace(gltf) {
  const meshes = new Map();
  gltf.scene.traverse((object) => {
    if (!object.isMesh) return;
    const { meshes: mesh, primitives: primitive } = gltf.parser.associations.get(object);
    let node = object;
    while (gltf.parser.associations.get(node)?.nodes === undefined) node = node.parent;
    meshes.set(`${gltf.parser.associations.get(node).nodes} ${mesh} ${primitive}`, object);
  });
  return meshes;
}

async function loadThree(bytes) {
  const stripped = writeGlb(withoutImages(readGlb(bytes)));
  const gltf = await new GLTFLoader().parseAsync(
    stripped.buffer.slice(stripped.byteOffset, stripped.byteOffset + stripped.length), '');
  return { gltf, meshes: meshesByPlace(gltf) };
}

// Ten times over a clip, its last one included.
function timesOf(clip) {
  return Array.from({ length: TIMES }, (_, i) => (clip.duration * i) / (TIMES - 1));
}

// Where we say every vertex is: an array of floats for each time and mesh.
function poseOurs(file, animation, times) {
  const bytes = program('pose', file, String(animation), ...times.map(String));
  const line = bytes.indexOf(10);
  const { meshes } = JSON.parse(bytes.subarray(0, line).toString());
  const floats = new Float32Array(bytes.buffer.slice(bytes.byteOffset + line + 1, bytes.byteOffset + bytes.length));
  let at = 0;
  return times.map(() => meshes.map((mesh) => {
    at += mesh.vertices * 3;
    return { ...mesh, positions: floats.subarray(at - mesh.vertices * 3, at) };
  }));
}

// The largest distance between their vertices and ours, as part of the box that theirs fill.
function compareFrame(three, ours) {
  const box = new THREE.Box3();
  const theirs = new THREE.Vector3();
  let worst = 0;
  let compared = 0;
  three.gltf.scene.updateMatrixWorld(true);
  for (const { node, mesh, primitive, vertices, positions } of ours) {
    const object = three.meshes.get(`${node} ${mesh} ${primitive}`);
    if (!object) continue; // not in the scene that three.js shows
    assert.equal(object.geometry.attributes.position.count, vertices);
    for (let i = 0; i < vertices; ++i) {
      object.getVertexPosition(i, theirs).applyMatrix4(object.matrixWorld);
      box.expandByPoint(theirs);
      const distance = Math.hypot(
        theirs.x - positions[3 * i], theirs.y - positions[3 * i + 1], theirs.z - positions[3 * i + 2]);
      worst = distance <= worst ? worst : distance; // NaN stays
    }
    ++compared;
  }
  assert.equal(compared, three.meshes.size, 'three.js shows a mesh that we do not have');
  const size = box.getSize(new THREE.Vector3());
  return worst / Math.max(size.x, size.y, size.z);
}

async function compare(t, file) {
  const three = await loadThree(fs.readFileSync(file));
  const mixer = new THREE.AnimationMixer(three.gltf.scene);
  const [rest] = poseOurs(file, -1, [0]);
  const vertices = rest.reduce((sum, mesh) => sum + mesh.vertices, 0);
  const frames = [{ worst: compareFrame(three, rest), name: 'at rest' }];
  let worst = 0;
  for (const [index, clip] of three.gltf.animations.entries()) {
    const times = timesOf(clip);
    const ours = poseOurs(file, index, times);
    const action = mixer.clipAction(clip);
    action.setLoop(THREE.LoopOnce).clampWhenFinished = true;
    for (const [i, time] of times.entries()) {
      action.reset().play();
      mixer.setTime(time);
      frames.push({ worst: compareFrame(three, ours[i]), name: `clip ${index} '${clip.name}' at ${time} s` });
    }
    mixer.stopAllAction(); // and back to rest
  }
  for (const frame of frames) {
    assert.ok(frame.worst <= TOLERANCE, `${frame.name}: ${frame.worst} of the bounding box apart`);
    worst = Math.max(worst, frame.worst);
  }
  t.diagnostic(`${path.basename(file)}: ${frames.length} poses of ${vertices} vertices, at most ` +
    `${worst.toExponential(1)} of the bounding box apart`);
  return frames.length;
}

// A bar of rings along Y.
function bar(rings) {
  const positions = [];
  for (let ring = 0; ring < rings; ++ring) {
    for (const [x, z] of [[1, 1], [-1, 1], [-1, -1], [1, -1]]) positions.push(0.3 * x, (3 * ring) / (rings - 1), 0.3 * z);
  }
  return new Float32Array(positions);
}

function stripOf(rings) {
  const corners = [];
  for (let ring = 0; ring + 1 < rings; ++ring) {
    for (let i = 0; i <= 4; ++i) corners.push(ring * 4 + (i % 4), (ring + 1) * 4 + (i % 4));
  }
  return new Uint16Array(corners);
}

function turn(axis, degrees) {
  const half = (degrees * Math.PI) / 360;
  return axis.map((c) => c * Math.sin(half)).concat(Math.cos(half));
}

// Everything at once: uneven and mirrored scales above the joints, joints that scale, inverse binds that are not the
// rest's inverse, weights of normalised bytes, dense and sparse morphs, one mesh at two nodes, and every kind of curve.
function makeModel() {
  const b = new GlbBuilder();
  const rings = 13;
  const count = rings * 4;
  const joints = new Uint8Array(count * 4);
  const weights = new Uint8Array(count * 4);
  for (let i = 0; i < count; ++i) {
    const along = (Math.floor(i / 4) / (rings - 1)) * 2;
    const first = Math.min(1, Math.floor(along));
    const second = Math.round((along - first) * 255);
    joints.set([first, first + 1, 2 - first * 2, 0], i * 4);
    weights.set(second ? [255 - second, second, 0, 0] : [255, 0, 0, 0], i * 4);
  }
  const bulge = new Float32Array(count * 3).map((_, i) => 0.2 * Math.sin(i));
  const indices = b.accessor('SCALAR', stripOf(rings));
  const skinned = {
    attributes: {
      POSITION: b.accessor('VEC3', bar(rings)),
      JOINTS_0: b.accessor('VEC4', joints),
      WEIGHTS_0: b.accessor('VEC4', weights, { normalized: true }),
    },
    indices,
    mode: 5,
    targets: [
      { POSITION: b.accessor('VEC3', bulge) },
      { POSITION: b.sparse('VEC3', count, [3, 20, 51], new Float32Array([0, 1, 0, 0.5, 0, 0, 0, 0, -1]),
        { min: [0, 0, -1], max: [0.5, 1, 0] }) },
    ],
  };
  const binds = new Float32Array(48);
  for (let j = 0; j < 3; ++j) {
    new THREE.Matrix4()
      .compose(new THREE.Vector3(0.1, -j, 0), new THREE.Quaternion(...turn([0, 0, 1], 5 * j)), new THREE.Vector3(1, 1, 1))
      .toArray(binds, 16 * j);
  }
  const rigid = { attributes: { POSITION: b.accessor('VEC3', bar(4)) } };
  const times = b.accessor('SCALAR', new Float32Array([0.25, 0.5, 2]));
  const curves = [
    [2, 'rotation', 'LINEAR', [turn([0, 0, 1], 0), turn([0, 0, 1], 170).map((c) => -c), turn([1, 0, 0], 30)]],
    [3, 'rotation', 'CUBICSPLINE', [[0, 0, 0, 0], [0, 0, 0, 1], [1, 0, 0, 0], [0, 2, 0, 0], turn([0, 1, 0], 80), [0, 0, 1, 0],
      [0, 0, 0, 0], turn([0.6, 0, 0.8], 120), [0, 0, 0, 0]]],
    [3, 'translation', 'CUBICSPLINE', [[0, 0, 0], [0, 1, 0], [0, 1, 0], [1, 0, 0], [0.2, 1.2, 0], [0, 0, 1], [0, 0, 0], [0, 1, 0.4], [0, 0, 0]]],
    [2, 'scale', 'LINEAR', [[1, 1, 1], [1.5, 0.5, 1], [1, 2, 0.7]]],
    [4, 'scale', 'STEP', [[1, 1, 1], [2, 2, 2], [0.5, 1, 1]]],
    [1, 'translation', 'LINEAR', [[0, 0, 0], [1, 0, 0], [1, 0, 5]]],
    [4, 'weights', 'CUBICSPLINE', [[0, 0], [0, 1], [1, 0], [0, 0], [1, 0.5], [0, -2], [1, 1], [0.25, 0.25], [0, 0]]],
    [5, 'weights', 'LINEAR', [[1, 0], [0, 1], [0.5, 0.5]]],
  ];
  const samplers = curves.map(([, path_, interpolation, values]) => ({
    input: times,
    output: b.accessor({ rotation: 'VEC4', weights: 'SCALAR' }[path_] ?? 'VEC3', new Float32Array(values.flat())),
    interpolation,
  }));
  Object.assign(b.json, {
    scene: 0,
    scenes: [{ nodes: [0, 4, 5] }],
    nodes: [
      { name: 'mirror', scale: [-1.5, 1, 0.5], rotation: turn([0, 1, 0], 40), children: [1] },
      { name: 'a', children: [2, 6] },
      { name: 'b', translation: [0, 1, 0], children: [3] },
      { name: 'c', translation: [0, 1, 0] },
      { name: 'first', mesh: 0, skin: 0, weights: [0.5, 0] },
      { name: 'second', mesh: 0, skin: 0, translation: [9, 9, 9] },
      { name: 'hat', mesh: 1, translation: [0, 2, 0], rotation: turn([1, 0, 0], 20) },
    ],
    meshes: [{ primitives: [skinned], weights: [0.1, 0.9] }, { primitives: [rigid] }],
    skins: [{ joints: [1, 2, 3], inverseBindMatrices: b.accessor('MAT4', binds) }],
    animations: [{
      name: 'all',
      samplers,
      channels: curves.map(([node, path_], sampler) => ({ sampler, target: { node, path: path_ } })),
    }],
  });
  return writeGlb(b.model());
}

test('a model of everything that can move', async (t) => {
  const file = path.join(temporaryFolder(t), 'model.glb');
  fs.writeFileSync(file, makeModel());
  assert.equal(await compare(t, file), 1 + TIMES);
});

test('the sample person, walking', async (t) => {
  const folder = temporaryFolder(t);
  const file = (name) => path.join(folder, name);
  gertie('sample', '-o', folder);
  gertie('animate', file('person.glb'), file('walk.bvh'), '-o', file('walk.glb'));
  await compare(t, file('person.glb'));
  assert.equal(await compare(t, file('walk.glb')), 1 + TIMES);
});

const realFiles = [
  'rigged/CesiumMan', 'rigged/BrainStem', 'rigged/Fox', 'rigged/Xbot', 'rigged/RobotExpressive', 'rigged/RiggedSimple',
  'rigged/RiggedFigure', 'mesh-animation/Horse', 'mesh-animation/Flamingo',
];
for (const name of realFiles) {
  const file = path.join(process.env.GERTIE_DATA ?? '', `${name}.glb`);
  const skip = process.env.GERTIE_DATA && fs.existsSync(file) ? false : 'needs GERTIE_DATA';
  test(name, { skip }, (t) => compare(t, file));
}
