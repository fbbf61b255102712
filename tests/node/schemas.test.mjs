// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// docs/schemas seen by Ajv: the schemas are JSON Schema as the standard has it, what the command writes keeps to them,
// and Gertie's own validator says of thousands of damaged documents what Ajv says.

import Ajv2020 from 'ajv/dist/2020.js';
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gertie, program, temporaryFolder } from './support.mjs';

const schemaFolder = fileURLToPath(new URL('../../docs/schemas', import.meta.url));
const exampleFolder = fileURLToPath(new URL('../../examples', import.meta.url));
const kinds = fs.readdirSync(schemaFolder).map((name) => name.replace('.schema.json', ''));
const schemas = Object.fromEntries(kinds.map((kind) => [kind, readJson(schemaPath(kind))]));

function schemaPath(kind) {
  return path.join(schemaFolder, `${kind}.schema.json`);
}

function readJson(file) {
  return JSON.parse(fs.readFileSync(file, 'utf8'));
}

function compile(kind) {
  const ajv = new Ajv2020({ strict: true, strictRequired: false, strictTypes: false, allowUnionTypes: true });
  ajv.addKeyword('x-formerly');
  return ajv.compile(schemas[kind]);
}

// One document or more of each kind, as the command writes them and as the repository has them.
function makeDocuments(folder) {
  const at = (name) => path.join(folder, name);
  gertie('sample', 'person', '-q', '-o', at('person.glb'), '--triangles', '3000', '--pose', 'A');
  gertie('sample', 'person', '-q', '--bare', '-o', at('bare.obj'), '--triangles', '3000');
  gertie('sample', 'walk', '-q', '-o', at('walk.bvh'));
  gertie('map', '-q', at('person.glb'), '-o', at('map.json'));
  gertie('contacts', '-q', at('walk.bvh'), '--hands', '-o', at('contacts.json'));
  gertie('rig', '-q', at('bare.obj'), '-o', at('rigged.glb'), '--save-joints', at('joints.json'));
  const animated = gertie('animate', '--json', at('person.glb'), at('walk.bvh'), '-o', at('walking.glb'), '--fps', '5',
    '--method', 'harmonic', '--save-markers', at('markers.json'));
  gertie('retarget', '-q', at('person.glb'), at('walk.bvh'), '-o', at('skinned.glb'), '--fps', '5');
  const ends = [[0, 1.7, 0], [0.7, 1.4, 0], [-0.7, 1.4, 0], [0.1, 0, 0.1], [-0.1, 0, 0.1]];
  fs.writeFileSync(at('ends.json'),
    JSON.stringify({ gertie_pairs: 1, pairs: ends.map((point) => ({ template_point_m: point, target_point_m: point })) }));
  gertie('animate', '-q', at('bare.obj'), at('skinned.glb'), '--pairs', at('ends.json'), '--save-markers', at('pairs.json'),
    '-o', at('driven.glb'));
  gertie('deform', '-q', at('skinned.glb'), '--preset', 'muscles', '-o', at('muscles.glb'), '--save', at('deform.json'));
  const touch = { hand: 'left', on: 'head', start_s: 1, end_s: 2, along: 0.5, around_deg: 90 };
  const onGround = { hand: 'right', with: 'palm', on: 'ground', start_s: 0, end_s: 2, x_m: 0.5, z_m: 1 };
  const key = { time_s: 0, rotation_deg: [0, 10, 0], ease: [0.1, 0.2], tension: 0.5 };
  return {
    contacts: [readJson(at('contacts.json')), { contacts: { leftToe: [[0, 1, 0.1]] }, touches: [touch, onGround] }],
    deform: [readJson(at('deform.json')),
      ...fs.readdirSync(exampleFolder).filter((name) => /\.deform\.json$/.test(name)).map((name) => readJson(path.join(exampleFolder, name)))],
    joints: [readJson(at('joints.json'))],
    keys: [{ gertie_keys: 1, rotations: [{ joint: 'head', axes: 'body', law: 'kochanek-bartels', keys: [key] }, { marker: 3, keys: [key] }],
      blend: { law: 'linear', keys: [{ time_s: 0, share: 0.5 }] } }],
    map: [readJson(at('map.json')), { joints: { hips: 'Hips', spine: null, chest: { node: 3, rotation_deg: [0, 0, 5] } } }],
    markers: [readJson(at('markers.json')), { markers: [{ node: 2, point_m: [0, 1, 2] }] }],
    pairs: [readJson(at('pairs.json')), { gertie_pairs: 1, pairs: [{ template_point_m: [0, 1, 2], target_point_m: [0, 1, 2] }] }],
    report: [animated, gertie('info', '--json', at('muscles.glb'), at('walk.bvh'), '--channels'), gertie('version', '--json'),
      gertie('measure', '--json', at('skinned.glb'), '--source', at('walk.bvh'), '--mesh-frames', '3'),
      gertie('sample', '--json', '-o', at('demo'))].map((text) => JSON.parse(text)),
  };
}

// A sequence that is the same in every run.
function makeRandom(seed) {
  let state = seed;
  return (count) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * count);
  };
}

// All places in a document: its containers with a key or an index each.
function places(document) {
  const found = [];
  const open = [document];
  for (const container of open) {
    for (const key of Object.keys(container)) {
      found.push([container, key]);
      if (container[key] !== null && typeof container[key] === 'object') {
        open.push(container[key]);
      }
    }
  }
  return found;
}

// Put something else into one place, take it out, or add to what it is in.
function damage(document, random) {
  const others = [null, true, 'x', '', -1, 0.5, 1e6, -1e6, 0, [], {}, [0, 0, 0], { x: 1 }, 'left', 1];
  const copy = structuredClone(document);
  const all = places(copy);
  const [container, key] = all[random(all.length)];
  switch (random(4)) {
    case 0:
      if (Array.isArray(container)) {
        container.splice(key, 1);
      } else {
        delete container[key];
      }
      break;
    case 1:
      if (Array.isArray(container)) {
        container.push(structuredClone(container[key]));
      } else {
        container.zzz = 1;
      }
      break;
    default:
      container[key] = others[random(others.length)];
  }
  return copy;
}

test('every schema is one by the standard', () => {
  assert.ok(kinds.length >= 8);
  for (const kind of kinds) {
    assert.doesNotThrow(() => compile(kind), kind);
    assert.ok(schemas[kind].title && !/[.\\"]$/.test(schemas[kind].title), `${kind} has a title that completes "must be"`);
  }
});

test('Ajv and Gertie agree on what the command writes and on damaged documents', (t) => {
  const folder = temporaryFolder(t);
  const documents = makeDocuments(folder);
  assert.deepEqual(Object.keys(documents).sort(), [...kinds].sort());
  const random = makeRandom(1);
  for (const kind of kinds) {
    const isValid = compile(kind);
    const lines = [];
    for (const document of documents[kind]) {
      assert.ok(isValid(document), `${kind}: ${JSON.stringify(isValid.errors)}`);
      lines.push(document, ...Array.from({ length: 150 }, () => damage(document, random)));
    }
    const file = path.join(folder, 'lines.json');
    fs.writeFileSync(file, lines.map((line) => JSON.stringify(line)).join('\n'));
    const verdicts = program('check', schemaPath(kind), file).toString().trim().split('\n');
    assert.equal(verdicts.length, lines.length);
    let refused = 0;
    for (const [i, line] of lines.entries()) {
      const expected = isValid(line);
      refused += !expected;
      assert.equal(verdicts[i] === 'ok', expected, `${kind}: Gertie says '${verdicts[i]}', Ajv ${JSON.stringify(isValid.errors)} of ${JSON.stringify(line).slice(0, 2000)}`);
    }
    assert.ok(refused > lines.length / 3, `${kind}: ${refused} of ${lines.length} are wrong`);
  }
});

// Names of numbers end in their units, unless they have none.
test('numbers say their units', () => {
  const units = /_(s|m|deg|hz|m2|m3|kg|mps|mps2|degps2|degps3|share|ratio|confidence|scale|bytes)$/;
  const unitless = new Set(['along', 'at', 'b', 'bias', 'border', 'confidence', 'continuity', 'damping', 'double_support', 'flight', 'gravity', 'in',
    'in_width', 'max', 'mean', 'metres_per_unit', 'min', 'misfit', 'out', 'out_width', 'p50', 'p90', 'p99', 'pruned_weight', 'rest', 'scale',
    'severity', 'share', 'strength', 'support', 'symmetry', 'tension', 'twist', 'value', 'worst', 'axis_min', 'axis_max', 'section_min', 'section_max',
    'stretch_min', 'stretch_max', 'volume_min', 'volume_max', 'both_feet', 'one_foot', 'in_the_air', 'leftHeel', 'leftToe', 'rightHeel', 'rightToe']);
  const isNumber = (root, schema) => {
    const target = schema.$ref ? root.$defs[schema.$ref.replace('#/$defs/', '')] : schema;
    return [target.type].flat().includes('number');
  };
  for (const kind of kinds) {
    const named = places(schemas[kind]).filter(([container, key]) => key === 'properties' && container[key] !== null && typeof container[key] === 'object');
    for (const [container] of named) {
      for (const [name, schema] of Object.entries(container.properties)) {
        assert.doesNotMatch(name, /_(mm|cm|cm2|ms|rad|mmps|l|fps)$|turn/, `${kind}: ${name}`);
        if (isNumber(schemas[kind], schema)) {
          assert.ok(units.test(name) || unitless.has(name), `${kind}: ${name} says no unit`);
        }
      }
    }
  }
});

test('the page on JSON files lists former names', () => {
  const page = fs.readFileSync(fileURLToPath(new URL('../../docs/formats/json.md', import.meta.url)), 'utf8');
  let count = 0;
  for (const kind of kinds) {
    for (const [container, key] of places(schemas[kind]).filter(([, name]) => name === 'x-formerly')) {
      if (!/^target_/.test(container[key]) && container[key] !== 'target') { // as template
        assert.ok(page.includes(`\`${container[key]}\``), `${kind}: ${container[key]}`);
        ++count;
      }
    }
  }
  assert.ok(count > 10);
});
