/** The library's own words in the person's language. */
import { language } from '@/i18n';
import { libraryZh } from '@/i18n/zh-CN/library';

/** The library's `translate`: English is its mother tongue. */
export function translate(template: string, values: Readonly<Record<string, string>> = {}): string {
  const text = language() === 'zh-CN' ? (libraryZh[template] ?? template) : template;
  return text.replace(/{([^}]+)}/g, (slot, name: string) => values[name] ?? slot);
}
