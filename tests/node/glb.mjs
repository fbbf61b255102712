// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// GLB containers as far as tests need them: taken apart, put together, and a model put together piece by piece.

const MAGIC = 0x46546c67;
const JSON_CHUNK = 0x4e4f534a;
const BIN_CHUNK = 0x004e4942;

// The JSON and the binary chunk of a GLB.
export function readGlb(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (view.getUint32(0, true) !== MAGIC) throw new Error('no GLB');
  let json = null;
  let bin = new Uint8Array(0);
  for (let at = 12; at + 8 <= bytes.length; ) {
    const size = view.getUint32(at, true);
    const chunk = bytes.subarray(at + 8, at + 8 + size);
    if (view.getUint32(at + 4, true) === JSON_CHUNK) json = JSON.parse(Buffer.from(chunk).toString('utf8'));
    if (view.getUint32(at + 4, true) === BIN_CHUNK) bin = chunk;
    at += 8 + size;
  }
  return { json, bin };
}

function padded(bytes, filler) {
  const out = Buffer.alloc((bytes.length + 3) & ~3, filler);
  out.set(bytes);
  return out;
}

export function writeGlb({ json, bin }) {
  const chunks = [[JSON_CHUNK, padded(Buffer.from(JSON.stringify(json)), ' ')], [BIN_CHUNK, padded(bin, 0)]];
  const head = Buffer.alloc(12);
  head.writeUInt32LE(MAGIC, 0);
  head.writeUInt32LE(2, 4);
  head.writeUInt32LE(12 + chunks.reduce((sum, [, data]) => sum + 8 + data.length, 0), 8);
  const parts = [head];
  for (const [kind, data] of chunks) {
    const chunkHead = Buffer.alloc(8);
    chunkHead.writeUInt32LE(data.length, 0);
    chunkHead.writeUInt32LE(kind, 4);
    parts.push(chunkHead, data);
  }
  return Buffer.concat(parts);
}

// Without pictures, which three.js cannot decode in Node; nothing that moves depends on them.
export function withoutImages({ json, bin }) {
  const { images, textures, samplers, materials, ...rest } = json;
  const meshes = json.meshes?.map((mesh) => ({
    ...mesh,
    primitives: mesh.primitives.map(({ material, extensions, ...primitive }) => primitive),
  }));
  const dropped = (name) => !name.startsWith('KHR_materials') && !name.startsWith('KHR_texture');
  return {
    json: {
      ...rest,
      meshes,
      extensionsUsed: json.extensionsUsed?.filter(dropped),
      extensionsRequired: json.extensionsRequired?.filter(dropped),
    },
    bin,
  };
}

const COMPONENTS = new Map([
  [Int8Array, 5120], [Uint8Array, 5121], [Int16Array, 5122], [Uint16Array, 5123], [Uint32Array, 5125],
  [Float32Array, 5126],
]);
const WIDTHS = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT4: 16 };

// Collects accessors; model() gives what writeGlb() takes.
export class GlbBuilder {
  constructor() {
    this.parts = [];
    this.size = 0;
    this.json = { asset: { version: '2.0' }, accessors: [], bufferViews: [] };
  }

  view(array) {
    const bytes = padded(Buffer.from(array.buffer, array.byteOffset, array.byteLength), 0);
    this.parts.push(bytes);
    this.size += bytes.length;
    return this.json.bufferViews.push(
      { buffer: 0, byteOffset: this.size - bytes.length, byteLength: array.byteLength }) - 1;
  }

  accessor(type, array, more = {}) {
    const componentType = COMPONENTS.get(array.constructor);
    const width = WIDTHS[type];
    const bound = (choose) => Array.from({ length: width },
      (_, column) => array.filter((_, i) => i % width === column).reduce((a, b) => choose(a, b)));
    return this.json.accessors.push(
      { bufferView: this.view(array), componentType, type, count: array.length / width, min: bound(Math.min), max: bound(Math.max),
        ...more }) - 1;
  }

  // Zeros but for the elements given.
  sparse(type, count, indices, values, more = {}) {
    const sparse = {
      count: indices.length,
      indices: { bufferView: this.view(Uint16Array.from(indices)), componentType: 5123 },
      values: { bufferView: this.view(values) },
    };
    return this.json.accessors.push({ componentType: 5126, type, count, sparse, ...more }) - 1;
  }

  model() {
    return { json: { ...this.json, buffers: [{ byteLength: this.size }] }, bin: Buffer.concat(this.parts) };
  }
}
