// The primitives of ``noble.py``: functions over Uint8Array. A page sets
// ``globalThis.noble`` to this object before it starts Python. Undefined is Python's None.
import { chacha20poly1305 } from "@noble/ciphers/chacha.js";
import { ed25519, x25519 } from "@noble/curves/ed25519.js";
import { bytesToNumberLE, concatBytes, equalBytes } from "@noble/curves/utils.js";
import { sha512 } from "@noble/hashes/sha2.js";

const attempt = (act) => {
  try {
    return act();
  } catch {
    return undefined;
  }
};

// noble multiplies the equation of RFC 8032 by the cofactor, OpenSSL does not. A signature that
// one of them takes and the other refuses would split a table, so R itself is compared, too.
function isExact(key, signature, statement) {
  const { Point } = ed25519;
  const r = signature.subarray(0, 32);
  const s = bytesToNumberLE(signature.subarray(32));
  const hash = Point.Fn.create(bytesToNumberLE(sha512(concatBytes(r, key, statement))));
  const found = Point.BASE.multiplyUnsafe(s).subtract(Point.fromBytes(key).multiplyUnsafe(hash));
  return equalBytes(found.toBytes(), r);
}

export const noble = {
  seal: (key, nonce, body, header) => chacha20poly1305(key, nonce, header).encrypt(body),
  unseal: (key, nonce, sealed, header) => {
    const cipher = chacha20poly1305(key, nonce, header);
    return attempt(() => cipher.decrypt(sealed));
  },
  public: (seed) => ed25519.getPublicKey(seed),
  sign: (seed, statement) => ed25519.sign(statement, seed),
  verify: (key, signature, statement) =>
    ed25519.verify(signature, statement, key, { zip215: false }) && isExact(key, signature, statement),
  exchange: (secret, key) => attempt(() => x25519.getSharedSecret(secret, key)),
};
