/** Problems as people read them: in their language, by element, the errors first. */
import type { Element } from 'bpmn-js/lib/model/Types';
import type ElementRegistry from 'diagram-js/lib/core/ElementRegistry';
import type { Language } from '@/site';
import type { Drawing } from '../canvas/drawing';
import { nameOf } from '../canvas/names';
import type { Problem } from '../context';

export function sentence({ messageZh, messageEn }: Problem, language: Language): string {
  return language === 'zh-CN' ? messageZh : messageEn;
}

export function counts(problems: readonly Problem[]): { errors: number; warnings: number } {
  const errors = problems.filter(({ level }) => level === 'error').length;
  return { errors, warnings: problems.length - errors };
}

export function elementOf(drawing: Drawing, id: string): Element | undefined {
  return drawing.get<ElementRegistry>('elementRegistry').get(id) as Element | undefined;
}

/** What an element is called; its id while it has no name. */
export function called(drawing: Drawing, id: string): string {
  const element = elementOf(drawing, id);
  return (element && nameOf(element.businessObject)) || id;
}
