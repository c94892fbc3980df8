/** The two languages: catalogues, the choice remembered, and what follows it outside React (document, dates). */
import 'dayjs/locale/zh-cn';
import dayjs from 'dayjs';
import i18next from 'i18next';
import { initReactI18next, useTranslation } from 'react-i18next';
import { type Language, site } from '@/site';
import type { drawingZh } from './drawing';
import { enUS } from './en-US';
import type { looking } from './looking';
import { zhCN } from './zh-CN';

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'translation';
    resources: { translation: typeof zhCN & typeof drawingZh & typeof looking };
  }
}

const STORED = 'xunwei.language';

function follow(language: Language) {
  document.documentElement.lang = language;
  dayjs.locale(language === 'zh-CN' ? 'zh-cn' : 'en');
}

const remembered = localStorage.getItem(STORED);
const initial: Language = remembered === 'en-US' || remembered === 'zh-CN' ? remembered : site.language;

i18next.use(initReactI18next).init({
  lng: initial,
  fallbackLng: false,
  resources: { 'zh-CN': { translation: zhCN }, 'en-US': { translation: enUS } },
  interpolation: { escapeValue: false },
  initAsync: false,
});
follow(initial);

export const t = i18next.t;

export function language(): Language {
  return i18next.language as Language;
}

/** Changes the language of everything and remembers it on this device. */
export async function setLanguage(chosen: Language): Promise<void> {
  localStorage.setItem(STORED, chosen);
  follow(chosen);
  await i18next.changeLanguage(chosen);
}

export function useLanguage(): Language {
  return useTranslation().i18n.language as Language;
}

export { useTranslation };
