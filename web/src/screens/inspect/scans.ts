/** Opening a point by its plate: the page of a task says by digests which plates do, so that a phone without a network
 * knows the right one; the server judges it again. */

export const [QR, NFC, EITHER] = [1, 2, 3];

/** How a point was opened: by a plate, or by hand with a reason. */
export type Opened =
  | { scanCode: string; scanTime: string }
  | { noScan: { reason: string }; scanTime: string };

const ADDRESS = /\/scan\/([^/?#\s]+)\/?(?:[?#].*)?$/;
const GAPS = /[:\s-]/g;

/** What a text may be on a plate: a token as it stands, a code or a UID in capitals. */
function meanings(text: string): string[] {
  const said = text.trim();
  const token = ADDRESS.exec(said)?.[1] ?? said;
  return [...new Set([token, said.toUpperCase(), said.replace(GAPS, '').toUpperCase()])];
}

async function digest(text: string): Promise<string> {
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Whether what was read opens the point. Where this browser, or the task as it was fetched, knows no digests, the server
 * says so. */
export async function opens(
  { id, plates }: { id: string; plates?: readonly string[] },
  text: string,
): Promise<boolean> {
  if (!globalThis.crypto?.subtle || !plates) return true;
  const read = await Promise.all(meanings(text).map((meaning) => digest(`${id} ${meaning}`)));
  return read.some((one) => plates.includes(one));
}

/** Not yet among the types of the browser. */
interface NfcReader extends EventTarget {
  scan: (options: { signal: AbortSignal }) => Promise<void>;
  onreading: ((event: { serialNumber: string }) => void) | null;
}
type NfcReaderClass = new () => NfcReader;

const nfcClass = () => (window as { NDEFReader?: NfcReaderClass }).NDEFReader;

export const canReadNfc = () => nfcClass() !== undefined;

/** Tells the UID of each tag that is held to the phone, until the signal; rejects where the person forbids it. */
export async function readNfc(onRead: (uid: string) => void, signal: AbortSignal): Promise<void> {
  const Class = nfcClass();
  if (!Class) throw new Error('no NFC');
  const reader = new Class();
  reader.onreading = ({ serialNumber }) => {
    if (!signal.aborted && serialNumber) onRead(serialNumber.replace(GAPS, '').toUpperCase());
  };
  await reader.scan({ signal });
}
