/** Photos of somebody without an account: they stay in this page, small, and go with the form in one call. */
import type { ReactNode } from 'react';
import { Store } from '@/kit/photoStore';

/** Pixels of the longest edge: three of them fit into one call. */
const LONGEST = 1280;

/** By the address at which this page shows it. */
const photos = new Map<string, Blob>();
const store = {
  add: async (file: Blob) => {
    const { shrunk } = await import('@/session/offline/photos');
    const photo = await shrunk(file, LONGEST);
    const address = URL.createObjectURL(photo);
    photos.set(address, photo);
    return address;
  },
};

export function PhotosInPage({ children }: { children: ReactNode }) {
  return <Store value={store}>{children}</Store>;
}

/** What was entered, with its photos. */
export function asForm(values: object, addresses: readonly string[]): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(values)) form.append(name, String(value ?? ''));
  for (const [place, address] of addresses.entries()) {
    const photo = photos.get(address);
    if (photo) form.append('images', photo, `${place + 1}.jpg`);
  }
  return form;
}

/** The photos are not shown any more. */
export function forgetPhotos(): void {
  for (const address of photos.keys()) URL.revokeObjectURL(address);
  photos.clear();
}
