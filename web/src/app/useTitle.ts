/** The window's title. */
import { useEffect } from 'react';
import { useTranslation } from '@/i18n';
import { type Language, site } from '@/site';

export function useTitle(page: string): void {
  const { i18n } = useTranslation();
  useEffect(() => {
    document.title = `${page} - ${site.product[i18n.language as Language]}`;
  }, [page, i18n.language]);
}
