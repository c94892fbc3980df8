/** What the page of a route is called, in the language of now. */
import { useLanguage, useTranslation } from '@/i18n';
import { labelIn } from '@/kit/nounText';
import type { Route } from './route';

/** Undefined where the page is called as its menu entry is. */
export function useRouteTitle(): (route: Pick<Route, 'title'>) => string | undefined {
  const { t } = useTranslation();
  const language = useLanguage();
  return ({ title }) => (typeof title === 'object' ? labelIn(language, title) : title && t(title));
}
