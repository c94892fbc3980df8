/** Finds elements in the drawing by the names that are shown, and by their ids. */
import type { Element } from 'bpmn-js/lib/model/Types';
import { isLabel } from 'bpmn-js/lib/util/LabelUtil';
import type ElementRegistry from 'diagram-js/lib/core/ElementRegistry';
import type SearchPad from 'diagram-js/lib/features/search-pad/SearchPad';
import type { SearchResult } from 'diagram-js/lib/features/search-pad/SearchPadProvider';
import { nameOf } from './names';

interface Found {
  item: { element: Element };
  tokens: { label: SearchResult['primaryTokens']; id: SearchResult['secondaryTokens'] };
}

type Search = (items: readonly object[], pattern: string, options: { keys: string[] }) => Found[];

/** In place of the library's, which knows one name only. */
export class Finding {
  static $inject = ['elementRegistry', 'searchPad', 'search'];

  constructor(
    private readonly registry: ElementRegistry,
    pad: SearchPad,
    private readonly search: Search,
  ) {
    pad.registerProvider(this);
  }

  find(pattern: string): SearchResult[] {
    const elements = this.registry.filter((element) => Boolean(element.parent) && !isLabel(element));
    const items = (elements as Element[]).map((element) => ({
      element,
      label: nameOf(element.businessObject),
      id: element.id,
    }));
    return this.search(items, pattern, { keys: ['label', 'id'] }).map(({ item, tokens }) => ({
      element: item.element,
      primaryTokens: tokens.label,
      secondaryTokens: tokens.id,
    }));
  }
}
