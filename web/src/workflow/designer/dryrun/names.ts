/** What to call the elements that the run passes. */
import type { ModdleElement } from 'bpmn-js/lib/model/Types';
import type ElementRegistry from 'diagram-js/lib/core/ElementRegistry';
import { useTranslation } from '@/i18n';
import { kindOf, kindTitle } from '../canvas/kinds';
import { nameOf } from '../canvas/names';
import { useDesigner } from '../context';

/** An element's name; without one its kind, and its id where it is no longer drawn. */
export function useNames(): (id: string) => string {
  const { t } = useTranslation();
  const { drawing } = useDesigner();
  return (id) => {
    const element = drawing.get<ElementRegistry>('elementRegistry').get(id);
    if (!element) return id;
    const kind = kindOf(element as Parameters<typeof kindOf>[0]);
    return nameOf(element.businessObject as ModdleElement) || (kind ? t(kindTitle(kind)) : id);
  };
}
