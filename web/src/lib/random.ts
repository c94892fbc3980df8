/** A name nobody else will think of. `crypto.randomUUID` exists on secure origins only; this works on plain http too. */
export function randomKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
}
