/** Where photos of a form are stored before they are sent. Without one they go to the server at once. */
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import { isRef } from '@/lib/photoRefs';
import { away } from '@/session/away';

interface PhotoStore {
  /** Returns the reference that stands for the photo; rejects what is no picture. */
  add: (file: Blob) => Promise<string>;
}

const Store = createContext<PhotoStore | undefined>(undefined);
const onDevice: PhotoStore = { add: async (file) => (await away()).addPhoto(file) };

/** The photos of the forms in it are stored on this device, small, and sent with the form. */
export function PhotosOnDevice({ children }: { children: ReactNode }) {
  return <Store value={onDevice}>{children}</Store>;
}

export function usePhotoStore(): PhotoStore | undefined {
  return useContext(Store);
}

/** The address at which a link or a reference is shown; undefined while it is looked up, or where it is gone. */
export function useShownPhoto(link: string): string | undefined {
  const isReference = isRef(link);
  const [found, setFound] = useState<string>();
  useEffect(() => {
    if (!isReference) return undefined;
    let isGone = false;
    away()
      .then(({ photoUrl }) => photoUrl(link))
      .then(
        (url) => {
          if (!isGone) setFound(url);
        },
        () => undefined,
      );
    return () => {
      isGone = true;
    };
  }, [link, isReference]);
  return isReference ? found : link;
}
