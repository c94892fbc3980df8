/** References that stand for photos and files on this device, where the server's links will be. */
export const REF = 'photo:';

export const isRef = (value: unknown): value is string => typeof value === 'string' && value.startsWith(REF);

/** The references in a text. */
export const refsInText = (text: string): readonly string[] => text.match(/photo:[0-9a-f]+/g) ?? [];
