/**
 * SipHash-2-4, a hash of short texts under a secret key: without the key, a hash tells nothing about its input, and nobody
 * can choose two inputs with the same hash. It is here in full because the HMAC of WebCrypto is asynchronous, and that of
 * node:crypto is not in browsers.
 *
 * Source: https://github.com/veorq/SipHash
 *
 * @param key - 16 random bytes.
 * @returns An unsigned integer of 64 bits.
 */
export function sipHash(key: Uint8Array, input: Uint8Array): bigint {
  const [low, high] = wordsOf(key) as [bigint, bigint];
  const state: State = [
    low ^ 0x736f6d6570736575n,
    high ^ 0x646f72616e646f6dn,
    low ^ 0x6c7967656e657261n,
    high ^ 0x7465646279746573n,
  ];
  // The last byte of the last word is the length of the input.
  const padded = new Uint8Array(input.length + 8 - (input.length % 8));
  padded.set(input);
  padded[padded.length - 1] = input.length;
  for (const word of wordsOf(padded)) {
    state[3] ^= word;
    mix(state, 2);
    state[0] ^= word;
  }
  state[2] ^= 0xffn;
  mix(state, 4);
  return state[0] ^ state[1] ^ state[2] ^ state[3];
}

type State = [bigint, bigint, bigint, bigint];

/** The little-endian words of 64 bits in the bytes. */
function wordsOf(bytes: Uint8Array): bigint[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from({ length: bytes.byteLength / 8 }, (_, index) => view.getBigUint64(index * 8, true));
}

function mix(state: State, rounds: number): void {
  let [a, b, c, d] = state;
  for (let round = 0; round < rounds; round++) {
    a = add(a, b);
    b = rotate(b, 13n) ^ a;
    a = rotate(a, 32n);
    c = add(c, d);
    d = rotate(d, 16n) ^ c;
    a = add(a, d);
    d = rotate(d, 21n) ^ a;
    c = add(c, b);
    b = rotate(b, 17n) ^ c;
    c = rotate(c, 32n);
  }
  state.splice(0, 4, a, b, c, d);
}

function add(a: bigint, b: bigint): bigint {
  return BigInt.asUintN(64, a + b);
}

function rotate(word: bigint, bits: bigint): bigint {
  return BigInt.asUintN(64, word << bits) | (word >> (64n - bits));
}
