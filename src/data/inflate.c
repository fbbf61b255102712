// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// DEFLATE (RFC 1951) in a zlib stream (RFC 1950). Codes are looked up in tables of two levels: the first is indexed by
// the next 11 bits (8 for distances) or as many as the longest code has, and longer codes continue in a second-level
// table. The bit buffer holds at least 56 bits after a refill, which is more than a length with its distance needs
// (48), so one refill serves both. Past the end of the data the buffer reads zeros and its count of bits becomes
// negative, which is checked once a symbol. Far from both ends, a loop without these checks decodes several literals a
// refill.

#include "data/inflate.h"

#include <string.h>

enum {
    MAX_CODE_BITS = 15,
    LITERAL_BITS = 11, // at most in the first level
    DISTANCE_BITS = 8,
    ORDER_BITS = 7, // codes of code lengths have at most 7 bits: one level
    LITERAL_SYMBOLS = 288,
    DISTANCE_SYMBOLS = 32,
    ORDER_SYMBOLS = 19,
    LITERAL_ENTRIES = 2342, // the most that any complete code of 288 symbols needs with 11 bits in the first level
    DISTANCE_ENTRIES = 402, // of 32 symbols with 8 bits
    END_OF_BLOCK = 256,
    LONGEST_MATCH = 258,
    COPY_SLACK = 16,                             // bytes that a copy may write past its end
    FAST_INPUT = 32,                             // bytes that one step of the loop without checks may read: two refills
    FAST_OUTPUT = 3 + LONGEST_MATCH + COPY_SLACK // and write: literals, then a match
};

// An entry of a table: bits 0 to 3 hold how many bits of code to drop, bits 4 to 7
// how many extra bits follow or how many index the second level, bits 8 to 10 the kind, bits 16 to 31 the value. An
// entry of 0 is a code that is not used.
enum {
    KIND_LITERAL = 1 << 8, // also a code length
    KIND_COPY = 2 << 8,    // a length or a distance
    KIND_END = 3 << 8,
    KIND_SECOND_LEVEL = 4 << 8,
    KIND_MASK = 7 << 8
};

typedef struct InflateBits {
    const uint8_t* next;
    const uint8_t* end;
    uint64_t bits; // next bit lowest
    int32_t count; // of valid bits; negative when more was taken than there was
} InflateBits;

typedef struct InflateState {
    InflateBits in;
    uint8_t* out;
    uint8_t* out_start;
    uint8_t* out_end;
    bool has_fixed_codes;  // the tables hold the codes of fixed blocks
    uint32_t literal_bits; // that index the first level
    uint32_t distance_bits;
    uint32_t literals[LITERAL_ENTRIES];
    uint32_t distances[DISTANCE_ENTRIES];
} InflateState;

static const uint16_t length_bases[29] = { 3,  4,  5,  6,  7,  8,  9,  10, 11,  13,  15,  17,  19,  23, 27,
                                           31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258 };
static const uint8_t length_extras[29] = { 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
                                           2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0 };
static const uint16_t distance_bases[30] = { 1,    2,    3,    4,    5,    7,    9,    13,    17,    25,
                                             33,   49,   65,   97,   129,  193,  257,  385,   513,   769,
                                             1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577 };
static const uint8_t distance_extras[30] = { 0, 0, 0, 0, 1, 1, 2, 2,  3,  3,  4,  4,  5,  5,  6,
                                             6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13 };

static inline void refill(InflateBits* in)
{
#if defined(__GNUC__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    if (in->end - in->next >= 8) {
        // Bits above `count` may be set already: they are of the same bytes, so that OR leaves them as they are.
        uint64_t word;
        memcpy(&word, in->next, sizeof word);
        in->bits |= word << in->count;
        in->next += (63 - in->count) >> 3;
        in->count |= 56;
        return;
    }
#endif
    while (in->count < 56 && in->next < in->end) {
        in->bits |= (uint64_t)*in->next++ << in->count;
        in->count += 8;
    }
}

static inline uint32_t take_bits(InflateBits* in, uint32_t count)
{
    uint32_t value = (uint32_t)(in->bits & (((uint64_t)1 << count) - 1));
    in->bits >>= count;
    in->count -= (int32_t)count;
    return value;
}

// The entry of a symbol without its code length; 0 for those that no stream may use.
static uint32_t literal_entry(uint32_t symbol)
{
    if (symbol <= END_OF_BLOCK) {
        return symbol < END_OF_BLOCK ? symbol << 16 | KIND_LITERAL : KIND_END;
    }
    symbol -= END_OF_BLOCK + 1;
    return symbol < 29 ? (uint32_t)length_bases[symbol] << 16 | KIND_COPY | (uint32_t)length_extras[symbol] << 4 : 0;
}

static uint32_t distance_entry(uint32_t symbol)
{
    return symbol < 30 ? (uint32_t)distance_bases[symbol] << 16 | KIND_COPY | (uint32_t)distance_extras[symbol] << 4
                       : 0;
}

static uint32_t order_entry(uint32_t symbol)
{
    return symbol << 16 | KIND_LITERAL;
}

// How many bits index the second-level table that begins with a code of `length` bits: as many as there are codes for.
static uint32_t second_level_bits(const uint16_t counts[], uint32_t length, uint32_t longest, uint32_t first_bits)
{
    uint32_t bits = length - first_bits;
    int32_t left = 1 << bits;
    while (bits + first_bits < longest) {
        left -= counts[bits + first_bits];
        if (left <= 0) {
            break;
        }
        ++bits;
        left <<= 1;
    }
    return bits;
}

// Add one to a code whose bits are reversed.
static uint32_t next_reversed(uint32_t code, uint32_t length)
{
    uint32_t bit = 1u << (length - 1);
    while (code & bit) {
        bit >>= 1;
    }
    return bit ? (code & (bit - 1)) + bit : 0;
}

static void fill_every(uint32_t* table, uint32_t first, uint32_t step, uint32_t end, uint32_t entry)
{
    for (uint32_t i = first; i < end; i += step) {
        table[i] = entry;
    }
}

// Make a table of the canonical code with these lengths. False for codes that are over-subscribed, and for incomplete
// ones, except for none or one code of one bit, which encoders write for one distance.
// @param bits  the most bits that may index the first level; receives how many do
static bool make_table(uint32_t* table, uint32_t* bits, const uint8_t* lengths, uint32_t symbol_count,
                       uint32_t (*entry_of)(uint32_t symbol))
{
    uint16_t counts[MAX_CODE_BITS + 1] = { 0 };
    uint16_t starts[MAX_CODE_BITS + 2] = { 0 };
    uint16_t sorted[LITERAL_SYMBOLS];
    for (uint32_t i = 0; i < symbol_count; ++i) {
        ++counts[lengths[i]];
    }
    int32_t left = 1;
    uint32_t longest = 0;
    counts[0] = 0;
    for (uint32_t length = 1; length <= MAX_CODE_BITS; ++length) {
        left = 2 * left - counts[length];
        if (left < 0) {
            return false;
        }
        longest = counts[length] ? length : longest;
        starts[length + 1] = (uint16_t)(starts[length] + counts[length]);
    }
    if (left > 0 && longest > 1) {
        return false;
    }
    uint32_t used = starts[MAX_CODE_BITS + 1];
    for (uint32_t i = 0; i < symbol_count; ++i) {
        if (lengths[i]) {
            sorted[starts[lengths[i]]++] = (uint16_t)i;
        }
    }
    uint32_t first_bits = longest < *bits ? (longest ? longest : 1) : *bits; // small tables are made faster
    uint32_t first_size = 1u << first_bits;
    *bits = first_bits;
    memset(table, 0, first_size * sizeof *table);
    uint32_t code = 0, prefix = first_size, second = first_size, second_size = 0;
    for (uint32_t i = 0; i < used; ++i) {
        uint32_t symbol = sorted[i], length = lengths[symbol], entry = entry_of(symbol);
        if (length <= first_bits) {
            fill_every(table, code, 1u << length, first_size, entry ? entry | length : 0);
        } else {
            if ((code & (first_size - 1)) != prefix) { // the next second-level table begins
                prefix = code & (first_size - 1);
                uint32_t second_bits = second_level_bits(counts, length, longest, first_bits);
                second += second_size;
                second_size = 1u << second_bits;
                table[prefix] = second << 16 | KIND_SECOND_LEVEL | second_bits << 4 | first_bits;
            }
            uint32_t rest = length - first_bits;
            fill_every(table + second, code >> first_bits, 1u << rest, second_size, entry ? entry | rest : 0);
        }
        --counts[length];
        code = next_reversed(code, length);
    }
    return true;
}

// Take the next symbol's code and give its entry, 0 where there is none such.
static inline uint32_t take_symbol(InflateBits* in, const uint32_t* table, uint32_t first_bits)
{
    uint32_t entry = table[in->bits & ((1u << first_bits) - 1)];
    if ((entry & KIND_MASK) == KIND_SECOND_LEVEL) {
        take_bits(in, first_bits);
        entry = table[(entry >> 16) + (in->bits & ((1u << (entry >> 4 & 15)) - 1))];
    }
    take_bits(in, entry & 15);
    return entry;
}

// Eight bytes of a pattern of 1 to 7. Up to eight bytes from `from` on are read.
static inline void repeat_pattern(const uint8_t* from, uint32_t distance, uint8_t out[8])
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    // A product with ones that are a pattern apart has the pattern at each of them.
    static const uint64_t ones[8] = { 0,
                                      0x0101010101010101,
                                      0x0001000100010001,
                                      0x0001000001000001,
                                      0x0000000100000001,
                                      0x0000010000000001,
                                      0x0001000000000001,
                                      0x0100000000000001 };
    uint64_t pattern = 0;
    memcpy(&pattern, from, 8);
    pattern = (pattern & (((uint64_t)1 << 8 * distance) - 1)) * ones[distance];
    memcpy(out, &pattern, 8);
#else
    for (uint32_t i = 0; i < 8; ++i) {
        out[i] = from[i % distance];
    }
#endif
}

// Copy a match; up to COPY_SLACK bytes behind it are overwritten.
static inline void copy_match_with_slack(uint8_t* out, uint32_t length, uint32_t distance)
{
    const uint8_t* from = out - distance;
    uint8_t* end = out + length;
    if (distance >= 16) {
        do {
            memcpy(out, from, 16);
            out += 16;
            from += 16;
        } while (out < end);
    } else if (distance >= 8) {
        do {
            memcpy(out, from, 8);
            out += 8;
            from += 8;
        } while (out < end);
    } else { // a pattern of `distance` bytes, stored eight bytes at a time in steps of whole patterns
        static const uint8_t steps[8] = { 8, 8, 8, 6, 8, 5, 6, 7 };
        uint8_t pattern[8];
        repeat_pattern(from, distance, pattern);
        uint32_t step = steps[distance];
        do {
            memcpy(out, pattern, 8);
            out += step;
        } while (out < end);
    }
}

// @param rest  bytes from `out` to the end of the buffer
static inline void copy_match(uint8_t* out, uint32_t length, uint32_t distance, size_t rest)
{
    if (rest >= LONGEST_MATCH + COPY_SLACK) {
        copy_match_with_slack(out, length, distance);
        return;
    }
    for (const uint8_t* from = out - distance; length; --length) {
        *out++ = *from++;
    }
}

static const char truncated[] = "the compressed data ends too early";
static const char too_long[] = "the compressed data holds more bytes than the file states";
static const char bad_code[] = "the compressed data has a code that stands for nothing";

static const char too_far[] = "the compressed data copies from before its start";

// Decode symbols while input and output are far from their ends, so that no count of bits and no place for literals has
// to be checked. Stops before a symbol that the careful loop has to judge, with the state before it.
static void inflate_symbols_fast(InflateState* state)
{
    InflateBits in = state->in;
    uint8_t* out = state->out;
    const uint32_t literal_bits = state->literal_bits;
    const uint32_t distance_bits = state->distance_bits;
    while (in.end - in.next >= FAST_INPUT && state->out_end - out >= FAST_OUTPUT) {
        refill(&in);
        InflateBits before = in;
        uint8_t* out_before = out;
        uint32_t entry = take_symbol(&in, state->literals, literal_bits);
        for (int i = 0; i < 2 && (entry & KIND_MASK) == KIND_LITERAL; ++i) { // 3 codes of 15 bits are less than 56
            *out++ = (uint8_t)(entry >> 16);
            before = in;
            out_before = out;
            entry = take_symbol(&in, state->literals, literal_bits);
        }
        if ((entry & KIND_MASK) == KIND_LITERAL) {
            *out++ = (uint8_t)(entry >> 16);
            continue;
        }
        uint32_t distance = 0;
        uint32_t length = 0;
        if ((entry & KIND_MASK) == KIND_COPY) {
            length = (entry >> 16) + take_bits(&in, entry >> 4 & 15); // 50 bits by now
            refill(&in);
            entry = take_symbol(&in, state->distances, distance_bits);
            distance = (entry >> 16) + take_bits(&in, entry >> 4 & 15);
        }
        if (distance == 0 || distance > (size_t)(out - state->out_start)) { // the end, or a fault
            in = before;
            out = out_before;
            break;
        }
        copy_match_with_slack(out, length, distance);
        out += length;
    }
    state->in = in;
    state->out = out;
}

// Decode the symbols of a block up to its end.
static const char* inflate_symbols(InflateState* state)
{
    inflate_symbols_fast(state);
    InflateBits in = state->in; // copies, which stores to the output cannot alias, stay in registers
    uint8_t* out = state->out;
    for (;;) {
        if (in.count < 48) {
            refill(&in);
        }
        uint32_t entry = take_symbol(&in, state->literals, state->literal_bits);
        if (in.count < 0) {
            return truncated;
        }
        if ((entry & KIND_MASK) == KIND_LITERAL) {
            if (out == state->out_end) {
                return too_long;
            }
            *out++ = (uint8_t)(entry >> 16);
            continue;
        }
        if ((entry & KIND_MASK) != KIND_COPY) {
            state->in = in;
            state->out = out;
            return entry ? NULL : bad_code;
        }
        uint32_t length = (entry >> 16) + take_bits(&in, entry >> 4 & 15);
        entry = take_symbol(&in, state->distances, state->distance_bits);
        uint32_t distance = (entry >> 16) + take_bits(&in, entry >> 4 & 15);
        if (in.count < 0) {
            return truncated;
        }
        if (!entry) {
            return bad_code;
        }
        if (distance > (size_t)(out - state->out_start)) {
            return too_far;
        }
        if (length > (size_t)(state->out_end - out)) {
            return too_long;
        }
        copy_match(out, length, distance, (size_t)(state->out_end - out));
        out += length;
    }
}

static const char* inflate_stored(InflateState* state)
{
    // What is left of the last byte is padding; whole bytes in the buffer go back to the data.
    take_bits(&state->in, (uint32_t)state->in.count & 7);
    state->in.next -= state->in.count >> 3;
    state->in.bits = 0;
    state->in.count = 0;
    if (state->in.end - state->in.next < 4) {
        return truncated;
    }
    const uint8_t* head = state->in.next;
    uint32_t length = (uint32_t)head[0] | (uint32_t)head[1] << 8;
    uint32_t complement = (uint32_t)head[2] | (uint32_t)head[3] << 8;
    state->in.next += 4;
    if (length != (complement ^ 0xFFFF)) {
        return "the length of a stored block does not match its complement";
    }
    if ((size_t)(state->in.end - state->in.next) < length) {
        return truncated;
    }
    if ((size_t)(state->out_end - state->out) < length) {
        return too_long;
    }
    if (length) {
        memcpy(state->out, state->in.next, length);
    }
    state->in.next += length;
    state->out += length;
    return NULL;
}

static void make_fixed_tables(InflateState* state)
{
    uint8_t lengths[LITERAL_SYMBOLS];
    if (state->has_fixed_codes) {
        return;
    }
    memset(lengths, 8, 144);
    memset(lengths + 144, 9, 112);
    memset(lengths + 256, 7, 24);
    memset(lengths + 280, 8, 8);
    state->literal_bits = LITERAL_BITS;
    make_table(state->literals, &state->literal_bits, lengths, LITERAL_SYMBOLS, literal_entry);
    memset(lengths, 5, DISTANCE_SYMBOLS);
    state->distance_bits = DISTANCE_BITS;
    make_table(state->distances, &state->distance_bits, lengths, DISTANCE_SYMBOLS, distance_entry);
    state->has_fixed_codes = true;
}

// Read `count` code lengths, which are themselves coded (RFC 1951, section 3.2.7).
static const char* read_lengths(InflateState* state, const uint32_t* table, uint32_t table_bits, uint8_t* lengths,
                                uint32_t count)
{
    for (uint32_t i = 0; i < count;) {
        refill(&state->in);
        uint32_t entry = take_symbol(&state->in, table, table_bits);
        if (!entry) {
            return state->in.count < 0 ? truncated : bad_code;
        }
        uint32_t symbol = entry >> 16;
        uint32_t repeats = 1;
        uint8_t length = (uint8_t)symbol;
        if (symbol == 16) {
            if (i == 0) {
                return "the compressed data repeats a code length before the first one";
            }
            length = lengths[i - 1];
            repeats = 3 + take_bits(&state->in, 2);
        } else if (symbol > 16) {
            length = 0;
            repeats = symbol == 17 ? 3 + take_bits(&state->in, 3) : 11 + take_bits(&state->in, 7);
        }
        if (state->in.count < 0) {
            return truncated;
        }
        if (repeats > count - i) {
            return "the compressed data has more code lengths than codes";
        }
        memset(lengths + i, length, repeats);
        i += repeats;
    }
    return NULL;
}

static const char* make_dynamic_tables(InflateState* state)
{
    static const uint8_t order[ORDER_SYMBOLS] = { 16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15 };
    static const char bad_lengths[] = "the compressed data has code lengths that make no code";
    uint8_t order_lengths[ORDER_SYMBOLS] = { 0 };
    uint8_t lengths[LITERAL_SYMBOLS + DISTANCE_SYMBOLS];
    uint32_t order_table[1 << ORDER_BITS];
    uint32_t order_bits = ORDER_BITS;
    uint32_t literal_count = 257 + take_bits(&state->in, 5);
    uint32_t distance_count = 1 + take_bits(&state->in, 5);
    uint32_t order_count = 4 + take_bits(&state->in, 4);
    state->has_fixed_codes = false;
    if (state->in.count < 0) {
        return truncated;
    }
    if (literal_count > 286 || distance_count > 30) {
        return "the compressed data has more codes than there are symbols";
    }
    for (uint32_t i = 0; i < order_count; ++i) {
        refill(&state->in);
        order_lengths[order[i]] = (uint8_t)take_bits(&state->in, 3);
        if (state->in.count < 0) {
            return truncated;
        }
    }
    if (!make_table(order_table, &order_bits, order_lengths, ORDER_SYMBOLS, order_entry)) {
        return bad_lengths;
    }
    const char* fault = read_lengths(state, order_table, order_bits, lengths, literal_count + distance_count);
    if (fault) {
        return fault;
    }
    state->literal_bits = LITERAL_BITS;
    state->distance_bits = DISTANCE_BITS;
    if (!lengths[END_OF_BLOCK] ||
        !make_table(state->literals, &state->literal_bits, lengths, literal_count, literal_entry) ||
        !make_table(state->distances, &state->distance_bits, lengths + literal_count, distance_count, distance_entry)) {
        return bad_lengths;
    }
    return NULL;
}

static const char* inflate_blocks(InflateState* state)
{
    bool last = false;
    while (!last) {
        refill(&state->in);
        last = take_bits(&state->in, 1);
        uint32_t kind = take_bits(&state->in, 2);
        if (state->in.count < 0) {
            return truncated;
        }
        const char* fault = NULL;
        if (kind == 0) {
            fault = inflate_stored(state);
        } else if (kind == 3) {
            fault = "the compressed data has a block of a kind that does not exist";
        } else {
            if (kind == 1) {
                make_fixed_tables(state);
            } else {
                fault = make_dynamic_tables(state);
            }
            fault = fault ? fault : inflate_symbols(state);
        }
        if (fault) {
            return fault;
        }
    }
    state->in.next -= state->in.count >> 3;
    return NULL;
}

const char* gti_inflate_zlib(const uint8_t* data, size_t size, uint8_t* out, size_t out_size)
{
    if (size < 2) {
        return truncated;
    }
    if ((data[0] & 15) != 8 || data[0] >> 4 > 7 || ((unsigned)data[0] << 8 | data[1]) % 31 != 0) {
        return "the compressed data does not begin as a zlib stream";
    }
    if (data[1] & 0x20) {
        return "the compressed data needs a preset dictionary";
    }
    InflateState state; // 11 kB, which each block fills as far as it uses it
    uint8_t nothing = 0;
    out = out_size ? out : &nothing;
    state.in = (InflateBits){ .next = data + 2, .end = data + size };
    state.out = out;
    state.out_start = out;
    state.out_end = out + out_size;
    state.has_fixed_codes = false;
    const char* fault = inflate_blocks(&state);
    if (fault) {
        return fault;
    }
    if (state.out != state.out_end) {
        return "the compressed data holds fewer bytes than the file states";
    }
    if (state.in.end - state.in.next < 4) {
        return truncated;
    }
    const uint8_t* sum = state.in.next;
    uint32_t stated = (uint32_t)sum[0] << 24 | (uint32_t)sum[1] << 16 | (uint32_t)sum[2] << 8 | sum[3];
    return gti_adler32(1, out, out_size) == stated ? NULL : "the checksum of the compressed data does not match";
}

uint64_t gti_inflate_most(size_t size)
{
    // A match of 258 bytes takes at least two bits, so that a byte makes at most four of them.
    return (uint64_t)size > UINT64_MAX / (4 * LONGEST_MATCH) ? UINT64_MAX : (uint64_t)size * 4 * LONGEST_MATCH;
}

// Sums at sixteen places side by side; vectors of the compiler, so that the arithmetic is wide on every machine.
enum {
    ADLER_LANES = 16,
    ADLER_GROUPS = 16, // of lanes, whose sums of sums stay within 16 bits
    ADLER_BLOCK = ADLER_LANES * ADLER_GROUPS
};

typedef uint8_t AdlerBytes __attribute__((vector_size(ADLER_LANES)));
typedef uint16_t AdlerSums __attribute__((vector_size(2 * ADLER_LANES)));

static inline void add_adler_block(const uint8_t* bytes, uint32_t* low, uint32_t* high)
{
    AdlerSums sums = { 0 };
    AdlerSums sums_of_sums = { 0 }; // before each group
    for (int g = 0; g < ADLER_GROUPS; ++g) {
        AdlerBytes group;
        memcpy(&group, bytes + (size_t)g * ADLER_LANES, sizeof group);
        sums_of_sums += sums;
        sums += __builtin_convertvector(group, AdlerSums);
    }
    uint32_t sum = 0, weighted = 0, before = 0;
    for (uint32_t i = 0; i < ADLER_LANES; ++i) {
        sum += sums[i];
        weighted += (ADLER_LANES - i) * sums[i];
        before += sums_of_sums[i];
    }
    *high += ADLER_BLOCK * *low + ADLER_LANES * before + weighted;
    *low += sum;
}

uint32_t gti_adler32(uint32_t adler, const uint8_t* bytes, size_t size)
{
    enum {
        MODULUS = 65521,
        MOST = 5376 // bytes until the sums must be reduced to stay within 32 bits: 5552, in whole blocks
    };
    uint32_t low = adler & 0xFFFF, high = adler >> 16;
    while (size) {
        size_t some = size < MOST ? size : MOST;
        size -= some;
        for (; some >= ADLER_BLOCK; some -= ADLER_BLOCK, bytes += ADLER_BLOCK) {
            add_adler_block(bytes, &low, &high);
        }
        for (; some; --some) {
            low += *bytes++;
            high += low;
        }
        low %= MODULUS;
        high %= MODULUS;
    }
    return high << 16 | low;
}
