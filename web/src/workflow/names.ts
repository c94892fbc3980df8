/** How the elements of a model's file are called, for sentences that know their ids only. */
import type { Language } from '@/site';

const OURS = 'urn:xunwei:bpmn';

interface Named {
  /** Without its prefix, such as `UserTask`. */
  type: string;
  name: string;
}

/** Element id → what it is and is called in the person's language; the name is empty where it has none. */
export function partsIn(xml: string, language: Language): ReadonlyMap<string, Named> {
  const names = namesIn(xml, language);
  const parts = new Map<string, Named>();
  for (const element of new DOMParser().parseFromString(xml, 'text/xml').querySelectorAll('[id]')) {
    const [first = '', ...rest] = element.localName;
    parts.set(element.id, { type: first.toUpperCase() + rest.join(''), name: names.get(element.id) ?? '' });
  }
  return parts;
}

/** Element id → name in the person's language; without those that have none, and empty for what is no XML. */
export function namesIn(xml: string, language: Language): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const element of new DOMParser().parseFromString(xml, 'text/xml').querySelectorAll('[id][name]')) {
    const english = language === 'en-US' ? element.getAttributeNS(OURS, 'nameEn') : '';
    names.set(element.id, english || (element.getAttribute('name') ?? ''));
  }
  return names;
}
