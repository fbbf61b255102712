// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// DEFLATE (RFC 1951) with codes made for each block. Matches are found through chains of places with the same hash of
// three bytes, of which a few are tried, and the longest is taken at once. That is nearly as good on arrays of numbers
// as looking further: these repeat at short distances, or not at all.

#include "data/deflate.h"

#include "data/inflate.h"

#include <string.h>

enum {
    HASH_BITS = 15,
    WINDOW = 1 << 15,
    MAX_TRIES = 16,
    SHORTEST_MATCH = 3,
    LONGEST_MATCH = 258,
    BLOCK_SYMBOLS = 1 << 15,
    LITERAL_CODES = 286,
    DISTANCE_CODES = 30,
    ORDER_CODES = 19,
    END_OF_BLOCK = 256,
    MAX_CODES = 288
};

// A code of each symbol, bits reversed, and how many bits it has.
typedef struct DeflateCode {
    uint32_t counts[MAX_CODES];
    uint16_t bits[MAX_CODES];
    uint8_t lengths[MAX_CODES];
} DeflateCode;

struct GtiDeflater {
    int32_t heads[1 << HASH_BITS];   // last place of each hash, or -1
    int32_t before[WINDOW];          // place before each one with the same hash, or -1
    uint32_t symbols[BLOCK_SYMBOLS]; // a literal, or distance << 16 | length
    int32_t symbol_count;
    DeflateCode literals, distances, orders;
    uint8_t* out;
    size_t size, capacity;
    bool is_full;
    uint64_t bits; // not yet in `out`, next lowest
    int bit_count;
};

static void put_bits(GtiDeflater* d, uint32_t value, int count)
{
    d->bits |= (uint64_t)value << d->bit_count;
    d->bit_count += count;
    while (d->bit_count >= 8) {
        if (d->size == d->capacity) {
            d->is_full = true;
        } else {
            d->out[d->size++] = (uint8_t)d->bits;
        }
        d->bits >>= 8;
        d->bit_count -= 8;
    }
}

// Depths of the leaves of Huffman's tree over counts that do not decrease, from the sizes of two queues: the leaves,
// and the inner nodes, which come up in order.
static void find_depths(const uint32_t* counts, int count, int* depths)
{
    uint64_t weights[MAX_CODES];
    int parents[2 * MAX_CODES];
    int leaf = 0;
    int inner = 0;
    for (int made = 0; made < count - 1; ++made) {
        uint64_t sum = 0;
        for (int k = 0; k < 2; ++k) {
            bool takes_leaf = leaf < count && (inner >= made || counts[leaf] <= weights[inner]);
            sum += takes_leaf ? counts[leaf] : weights[inner];
            parents[takes_leaf ? leaf : count + inner] = count + made;
            leaf += takes_leaf;
            inner += !takes_leaf;
        }
        weights[made] = sum;
    }
    int node_depths[2 * MAX_CODES];
    node_depths[2 * count - 2] = 0;
    for (int i = 2 * count - 3; i >= 0; --i) {
        node_depths[i] = node_depths[parents[i]] + 1;
    }
    memcpy(depths, node_depths, (size_t)count * sizeof *depths);
}

// How many codes have each length, with none longer than `longest`: those that would be are shortened, and others made
// longer until the code is complete again.
static void limit_lengths(const int* depths, int count, int longest, int* of_length)
{
    memset(of_length, 0, 16 * sizeof *of_length);
    for (int i = 0; i < count; ++i) {
        ++of_length[depths[i] < longest ? depths[i] : longest];
    }
    uint32_t total = 0;
    for (int length = 1; length <= longest; ++length) {
        total += (uint32_t)of_length[length] << (longest - length);
    }
    for (; total > 1u << longest; --total) {
        int length = longest - 1;
        while (of_length[length] == 0) {
            --length;
        }
        --of_length[longest];
        --of_length[length];
        of_length[length + 1] += 2;
    }
}

// Make the code from the counts. At least two symbols have a code, so that it is always complete.
static void make_code(DeflateCode* code, int symbol_count, int longest)
{
    int symbols[MAX_CODES];
    uint32_t sorted[MAX_CODES];
    int used = 0;
    for (int i = 0; i < symbol_count; ++i) {
        used += code->counts[i] > 0;
    }
    for (int i = 0; used < 2; ++i) {
        used += code->counts[i] == 0;
        code->counts[i] += code->counts[i] == 0;
    }
    used = 0;
    for (int i = 0; i < symbol_count; ++i) {
        int at = used;
        if (code->counts[i]) {
            for (; at > 0 && sorted[at - 1] > code->counts[i]; --at) {
                sorted[at] = sorted[at - 1];
                symbols[at] = symbols[at - 1];
            }
            sorted[at] = code->counts[i];
            symbols[at] = i;
            ++used;
        }
    }
    int depths[MAX_CODES];
    int of_length[16];
    find_depths(sorted, used, depths);
    limit_lengths(depths, used, longest, of_length);
    memset(code->lengths, 0, sizeof code->lengths);
    for (int length = longest, i = 0; length > 0; --length) {
        for (int k = 0; k < of_length[length]; ++k) {
            code->lengths[symbols[i++]] = (uint8_t)length;
        }
    }
    uint32_t next[17] = { 0 };
    for (int length = 1; length <= longest; ++length) {
        next[length + 1] = (next[length] + (uint32_t)of_length[length]) << 1;
    }
    for (int i = 0; i < symbol_count; ++i) {
        int length = code->lengths[i];
        uint32_t value = length ? next[length]++ : 0;
        uint16_t reversed = 0;
        for (int k = 0; k < length; ++k) {
            reversed = (uint16_t)(reversed << 1 | (value >> k & 1));
        }
        code->bits[i] = reversed;
    }
}

static void put_symbol(GtiDeflater* d, const DeflateCode* code, int symbol)
{
    put_bits(d, code->bits[symbol], code->lengths[symbol]);
}

// The code of a length, 257 to 285, with its extra bits (RFC 1951, 3.2.5): four codes for each number of them.
static int length_symbol(int length, int* extra_count, int* extra)
{
    int value = length - SHORTEST_MATCH;
    *extra_count = 0;
    *extra = 0;
    if (length == LONGEST_MATCH) {
        return 285;
    }
    while (value >> (*extra_count + 3) > 0) {
        ++*extra_count;
    }
    *extra = value & ((1 << *extra_count) - 1);
    return 257 + 4 * *extra_count + (value >> *extra_count);
}

// The same of a distance, 0 to 29: two codes for each number of extra bits.
static int distance_symbol(int distance, int* extra_count, int* extra)
{
    int value = distance - 1;
    *extra_count = 0;
    while (value >> (*extra_count + 2) > 0) {
        ++*extra_count;
    }
    *extra = value & ((1 << *extra_count) - 1);
    return 2 * *extra_count + (value >> *extra_count);
}

// Lengths of both codes, with runs of zeros put together: once to count, once to write.
static void put_lengths(GtiDeflater* d, const uint8_t* lengths, int count, bool writes)
{
    for (int i = 0; i < count;) {
        int run = 0;
        while (i + run < count && run < 138 && lengths[i + run] == 0) {
            ++run;
        }
        int symbol = run >= 11 ? 18 : run >= 3 ? 17 : lengths[i];
        if (!writes) {
            ++d->orders.counts[symbol];
        } else {
            put_symbol(d, &d->orders, symbol);
            if (symbol >= 17) {
                put_bits(d, (uint32_t)(run - (symbol == 18 ? 11 : 3)), symbol == 18 ? 7 : 3);
            }
        }
        i += symbol >= 17 ? run : 1;
    }
}

static int trimmed(const uint8_t* lengths, int count, int least)
{
    while (count > least && lengths[count - 1] == 0) {
        --count;
    }
    return count;
}

static void put_codes(GtiDeflater* d)
{
    static const uint8_t order[ORDER_CODES] = { 16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15 };
    uint8_t lengths[MAX_CODES + DISTANCE_CODES];
    uint8_t in_order[ORDER_CODES];
    make_code(&d->literals, LITERAL_CODES, 15);
    make_code(&d->distances, DISTANCE_CODES, 15);
    int literals = trimmed(d->literals.lengths, LITERAL_CODES, 257);
    int distances = trimmed(d->distances.lengths, DISTANCE_CODES, 1);
    memcpy(lengths, d->literals.lengths, (size_t)literals);
    memcpy(lengths + literals, d->distances.lengths, (size_t)distances);
    memset(d->orders.counts, 0, sizeof d->orders.counts);
    put_lengths(d, lengths, literals + distances, false);
    make_code(&d->orders, ORDER_CODES, 7);
    for (int i = 0; i < ORDER_CODES; ++i) {
        in_order[i] = d->orders.lengths[order[i]];
    }
    int orders = trimmed(in_order, ORDER_CODES, 4);
    put_bits(d, (uint32_t)(literals - 257), 5);
    put_bits(d, (uint32_t)(distances - 1), 5);
    put_bits(d, (uint32_t)(orders - 4), 4);
    for (int i = 0; i < orders; ++i) {
        put_bits(d, in_order[i], 3);
    }
    put_lengths(d, lengths, literals + distances, true);
}

static void put_block(GtiDeflater* d, bool is_last)
{
    d->literals.counts[END_OF_BLOCK] = 1;
    put_bits(d, is_last, 1);
    put_bits(d, 2, 2);
    put_codes(d);
    for (int32_t i = 0; i < d->symbol_count; ++i) {
        uint32_t symbol = d->symbols[i];
        int count = 0;
        int extra = 0;
        if (symbol < 256) {
            put_symbol(d, &d->literals, (int)symbol);
            continue;
        }
        put_symbol(d, &d->literals, length_symbol((int)(symbol & 0xFFFF), &count, &extra));
        put_bits(d, (uint32_t)extra, count);
        put_symbol(d, &d->distances, distance_symbol((int)(symbol >> 16), &count, &extra));
        put_bits(d, (uint32_t)extra, count);
    }
    put_symbol(d, &d->literals, END_OF_BLOCK);
    d->symbol_count = 0;
    memset(d->literals.counts, 0, sizeof d->literals.counts);
    memset(d->distances.counts, 0, sizeof d->distances.counts);
}

static uint32_t hash_at(const uint8_t* p)
{
    return ((uint32_t)p[0] << 16 | (uint32_t)p[1] << 8 | p[2]) * 0x9E3779B1u >> (32 - HASH_BITS);
}

static void remember(GtiDeflater* d, const uint8_t* data, size_t size, size_t place)
{
    if (size - place >= SHORTEST_MATCH) {
        uint32_t hash = hash_at(data + place);
        d->before[place % WINDOW] = d->heads[hash];
        d->heads[hash] = (int32_t)place;
    }
}

// The longest match at a place, or 0.
static int find_match(const GtiDeflater* d, const uint8_t* data, size_t size, size_t place, int* distance)
{
    int most = size - place < LONGEST_MATCH ? (int)(size - place) : LONGEST_MATCH;
    int best = 0;
    int32_t at = most >= SHORTEST_MATCH ? d->heads[hash_at(data + place)] : -1;
    for (int tries = 0; tries < MAX_TRIES && at >= 0 && place - (size_t)at < WINDOW && best < most; ++tries) {
        if (data[(size_t)at + (size_t)best] == data[place + (size_t)best]) {
            int length = 0;
            while (length < most && data[(size_t)at + (size_t)length] == data[place + (size_t)length]) {
                ++length;
            }
            if (length > best) {
                best = length;
                *distance = (int)(place - (size_t)at);
            }
        }
        at = d->before[at % WINDOW];
    }
    return best >= SHORTEST_MATCH ? best : 0;
}

GtiDeflater* gti_deflater_create(GtAllocator allocator)
{
    return allocator.allocate(allocator.user, sizeof(GtiDeflater));
}

void gti_deflater_destroy(GtAllocator allocator, GtiDeflater* deflater)
{
    allocator.release(allocator.user, deflater);
}

size_t gti_deflate_zlib(GtiDeflater* d, const uint8_t* data, size_t size, uint8_t* out, size_t capacity)
{
    memset(d->heads, 0xFF, sizeof d->heads);
    memset(d->literals.counts, 0, sizeof d->literals.counts);
    memset(d->distances.counts, 0, sizeof d->distances.counts);
    d->symbol_count = 0;
    d->out = out;
    d->size = 0;
    d->capacity = capacity;
    d->is_full = false;
    d->bits = 0;
    d->bit_count = 0;
    put_bits(d, 0x78, 8); // a window of 32 KB
    put_bits(d, 0x01, 8);
    for (size_t place = 0; place < size && !d->is_full;) {
        int distance = 0;
        int length = find_match(d, data, size, place, &distance);
        int count = 0;
        int extra = 0;
        d->symbols[d->symbol_count++] = length ? (uint32_t)distance << 16 | (uint32_t)length : data[place];
        ++d->literals.counts[length ? length_symbol(length, &count, &extra) : data[place]];
        d->distances.counts[length ? distance_symbol(distance, &count, &extra) : 0] += length > 0;
        for (int i = 0; i < (length ? length : 1); ++i) {
            remember(d, data, size, place++);
        }
        if (d->symbol_count == BLOCK_SYMBOLS) {
            put_block(d, false);
        }
    }
    put_block(d, true);
    put_bits(d, 0, (8 - d->bit_count) & 7);
    uint32_t adler = gti_adler32(1, data, size);
    for (int shift = 24; shift >= 0; shift -= 8) {
        put_bits(d, adler >> shift & 0xFF, 8);
    }
    return d->is_full ? 0 : d->size;
}
