/** Where photos, recordings and files of a form are stored before they are sent. Without one they go to the server at once. */
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import { ApiError } from '@/api/client';
import { useTranslation } from '@/i18n';
import { isRef } from '@/lib/photoRefs';
import { away } from '@/session/away';

/** What a file is for; a picture where nothing is said. */
export type Place = 'voice' | 'file';

interface PhotoStore {
  /** Returns the reference that stands for the file; rejects what its place does not take. */
  add: (file: File, place?: Place) => Promise<string>;
}

export const Store = createContext<PhotoStore | undefined>(undefined);
const onDevice: PhotoStore = { add: async (file, place) => (await away()).addFile(file, place) };

/** The photos of the forms in it are stored on this device, small, and sent with the form; so are recordings and files. */
export function PhotosOnDevice({ children }: { children: ReactNode }) {
  return <Store value={onDevice}>{children}</Store>;
}

export function usePhotoStore(): PhotoStore | undefined {
  return useContext(Store);
}

/** Says why a file was not taken. */
export function useReason(): (error: unknown) => string {
  const { t } = useTranslation();
  return (error) => {
    if (error instanceof ApiError) return error.msg;
    const isFull = error instanceof DOMException && error.name === 'QuotaExceededError';
    return t(isFull ? 'kit.error.deviceFull' : 'kit.error.unknown');
  };
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
