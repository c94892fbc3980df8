/** What a page calls what it shows, such as the number of an order: its tab and its window are called so. */
import { createContext, useContext, useEffect } from 'react';

/** Given by the shell, which is told. */
export const ContentTitle = createContext<(title: string | undefined) => void>(() => undefined);

/** Tells the shell; nothing as long as the page does not know yet. */
export function useContentTitle(title: string): void {
  const tell = useContext(ContentTitle);
  useEffect(() => {
    tell(title || undefined);
    return () => tell(undefined);
  }, [tell, title]);
}
