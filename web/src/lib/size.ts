/** Sizes of files for people. */
const KILO = 1024;

export function sizeText(bytes: number): string {
  return bytes < KILO * KILO
    ? `${Math.max(1, Math.round(bytes / KILO))} KB`
    : `${(bytes / KILO / KILO).toFixed(1)} MB`;
}
