/** The buttons beside what is chosen: the next step, the menus, connecting, deleting. */

import type Modeling from 'bpmn-js/lib/features/modeling/Modeling';
import type { Element } from 'bpmn-js/lib/model/Types';
import { is } from 'bpmn-js/lib/util/ModelUtil';
import type Connect from 'diagram-js/lib/features/connect/Connect';
import type ContextPad from 'diagram-js/lib/features/context-pad/ContextPad';
import type Provider from 'diagram-js/lib/features/context-pad/ContextPadProvider';
import type {
  ContextPadEntries,
  ContextPadEntry,
} from 'diagram-js/lib/features/context-pad/ContextPadProvider';
import type Rules from 'diagram-js/lib/features/rules/Rules';
import { t } from '@/i18n';
import { following, type KindName, kindNamed, kindTitle } from './kinds';
import type { Menu, Menus } from './menus';
import type { Offer } from './offer';
import type { Placing } from './placing';

/** What most often comes next. */
const NEXT: readonly KindName[] = ['userTask', 'exclusive', 'end'];

export class PadEntries {
  static $inject = ['contextPad', 'placing', 'menus', 'connect', 'modeling', 'rules', 'offer'];

  constructor(
    pad: ContextPad,
    private readonly placing: Placing,
    private readonly menus: Menus,
    private readonly link: Connect,
    private readonly modeling: Modeling,
    private readonly rules: Rules,
    private readonly offer: Offer,
  ) {
    pad.registerProvider(this as unknown as Provider);
  }

  getContextPadEntries(element: Element): ContextPadEntries {
    if (element.type === 'label') return this.removing([element]);
    const entries: ContextPadEntries = {};
    const follow = following(element).filter((kind) => this.offer.kinds.includes(kind));
    for (const name of NEXT) {
      const kind = kindNamed(name);
      if (!follow.includes(kind)) continue;
      entries[`append.${name}`] = {
        group: 'model',
        className: kind.icon,
        title: t('designer.pad.append', { kind: t(kindTitle(kind)) }),
        action: {
          click: () => this.placing.append(element, kind),
          dragstart: (event: Event) => this.placing.drag(event, kind, element),
        },
      };
    }
    if (this.menus.has('append', element)) {
      entries.append = this.opening(
        'append',
        'bpmn-icon-plus x-designer-more',
        `${t('designer.menu.append')} (A)`,
      );
    }
    if (is(element, 'bpmn:FlowNode') || is(element, 'bpmn:TextAnnotation')) {
      const start = (event: Event) => this.link.start(event as MouseEvent, element);
      entries.connect = {
        group: 'connect',
        className: 'bpmn-icon-connection-multi',
        title: t('designer.tools.connect'),
        action: { click: start, dragstart: start },
      };
    }
    if (is(element, 'bpmn:FlowElement')) {
      const note = kindNamed('annotation');
      entries.annotation = {
        group: 'connect',
        className: note.icon,
        title: t('designer.pad.append', { kind: t(kindTitle(note)) }),
        action: {
          click: () => this.placing.append(element, note),
          dragstart: (event: Event) => this.placing.drag(event, note, element),
        },
      };
    }
    if (this.menus.has('replace', element)) {
      entries.replace = this.opening(
        'replace',
        'bpmn-icon-screw-wrench',
        `${t('designer.menu.replace')} (R)`,
      );
    }
    return { ...entries, ...this.removing([element]) };
  }

  getMultiElementContextPadEntries(elements: Element[]): ContextPadEntries {
    return this.removing(elements);
  }

  private opening(menu: Menu, className: string, title: string): ContextPadEntry {
    return { group: 'edit', className, title, action: { click: () => this.menus.open(menu) } };
  }

  private removing(elements: Element[]): ContextPadEntries {
    const allowed: boolean | null | Element[] = this.rules.allowed('elements.delete', { elements });
    const may = Array.isArray(allowed) ? elements.every((element) => allowed.includes(element)) : allowed;
    if (!may) return {};
    return {
      delete: {
        group: 'edit',
        className: 'bpmn-icon-trash',
        title: `${t('designer.pad.delete')} (Del)`,
        action: { click: () => this.modeling.removeElements(elements.slice()) },
      },
    };
  }
}
