/** Photos that wait on this device: small, named by a reference that stands where the server's link will. So do recordings
 * and files, as they are. */
import { ApiError, untyped } from '@/api/client';
import { t } from '@/i18n';
import { isRef, REF } from '@/lib/photoRefs';
import { randomKey } from '@/lib/random';
import { owner } from '@/session/own';
import { databaseOf } from './db';
import type { StoredPhoto } from './kinds';

/** What the server takes; it looks into the file once more. */
const SOUND = /^audio\/|\.(webm|ogg|m4a|wav|mp3)$/i;
const DOCUMENT = /\.(pdf|docx?|xlsx?|pptx?|txt|csv|zip|jpe?g|png)$/i;
const [MOST, MEGABYTES] = [9, 20];
const PUT = '/blade-resource/oss/endpoint/put-file';
/** Pixels of the longest edge, enough to read a type plate. */
const LONGEST = 1600;
const QUALITY = 0.8;
/** Milliseconds after which a photo that nothing names is removed. */
const UNUSED = 30 * 86_400_000;

/** A reference may say what its file is called. */
const idOf = (ref: string) => ref.slice(REF.length).split('#')[0] ?? '';

/** The references in what will be sent. */
export function refsIn(value: unknown): string[] {
  if (isRef(value)) return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(refsIn);
}

/** The same with links in place of the references. */
export function withLinks<T>(value: T, links: ReadonlyMap<string, string>): T {
  if (isRef(value)) return (links.get(value) ?? value) as T;
  if (Array.isArray(value)) return value.map((part) => withLinks(part, links)) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, withLinks(part as unknown, links)]),
  ) as T;
}

/** Upright, small, and as JPEG. Rejects what is no picture. */
export async function shrunk(file: Blob, longest = LONGEST): Promise<Blob> {
  const picture = await createImageBitmap(file, { imageOrientation: 'from-image' });
  const scale = Math.min(1, longest / Math.max(picture.width, picture.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(picture.width * scale);
  canvas.height = Math.round(picture.height * scale);
  const pen = canvas.getContext('2d');
  if (!pen) throw new Error('no canvas');
  // What a PNG leaves open would be black in a JPEG.
  pen.fillStyle = '#fff';
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.drawImage(picture, 0, 0, canvas.width, canvas.height);
  picture.close();
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('no picture'))), 'image/jpeg', QUALITY);
  });
}

/** The picture, small; says what is taken where the browser cannot read it as one. */
async function asPicture(file: File): Promise<Blob> {
  try {
    return await shrunk(file);
  } catch {
    throw new ApiError(400, t('kit.error.fileType'));
  }
}

/** Stores what a form takes and returns its reference; rejects what its place does not take. */
export async function addFile(file: File, place?: StoredPhoto['place']): Promise<string> {
  if (!place) return storePhoto(await asPicture(file));
  if (place === 'voice' && !SOUND.test(`${file.type} ${file.name}`))
    throw new ApiError(400, t('kit.voice.refused'));
  if (place === 'file' && !DOCUMENT.test(file.name))
    throw new ApiError(400, t('kit.files.hint', { n: MOST, size: MEGABYTES }));
  return storePhoto(file, { place, name: file.name });
}

export async function storePhoto(
  kept: Blob,
  more: Pick<StoredPhoto, 'place' | 'name'> = {},
): Promise<string> {
  const db = await databaseOf(owner());
  const id = randomKey();
  await db.put('photos', {
    id,
    at: Date.now(),
    type: kept.type,
    bytes: await kept.arrayBuffer(),
    ...more,
  });
  return REF + id;
}

const urls = new Map<string, string>();

/** Returns an address at which this page shows the photo; undefined where it is not there any more. */
export async function photoUrl(ref: string): Promise<string | undefined> {
  const known = urls.get(ref);
  if (known) return known;
  const found = await (await databaseOf(owner())).get('photos', idOf(ref));
  if (!found) return undefined;
  const url = URL.createObjectURL(new Blob([found.bytes], { type: found.type }));
  urls.set(ref, url);
  return url;
}

/** Nobody else sees on this page what was shown before. */
export function forgetUrls(): void {
  for (const url of urls.values()) URL.revokeObjectURL(url);
  urls.clear();
}

/** Returns the server's link of a photo, which is sent there first unless it was; undefined where the photo is gone. */
export async function linkOf(person: string, ref: string): Promise<string | undefined> {
  const db = await databaseOf(person);
  const photo = await db.get('photos', idOf(ref));
  if (!photo) return undefined;
  if (photo.link) return photo.link;
  const form = new FormData();
  form.append('file', new File([photo.bytes], photo.name ?? `${photo.id}.jpg`, { type: photo.type }));
  const path = photo.place ? `${PUT}?place=${photo.place}` : PUT;
  const { link } = (await untyped.postFor(person, path, form)) as { link: string };
  await db.put('photos', { ...photo, link });
  return link;
}

export async function forgetLinks(person: string, body: unknown): Promise<void> {
  const db = await databaseOf(person);
  for (const ref of refsIn(body)) {
    const photo = await db.get('photos', idOf(ref));
    if (photo?.link) await db.put('photos', { ...photo, link: undefined });
  }
}

/** Removes what nothing names and nobody will come back for. */
export async function clearPhotos(person: string, used: readonly string[]): Promise<void> {
  const db = await databaseOf(person);
  const named = new Set(used.map(idOf));
  for (const { id, at } of await db.getAll('photos'))
    if (!named.has(id) && Date.now() - at > UNUSED) await db.delete('photos', id);
}

export { idOf as photoId };
