/** The menus of the canvas: what to draw next, and what to turn an element into; each is searched by typing. */

import type Modeling from 'bpmn-js/lib/features/modeling/Modeling';
import type BpmnRules from 'bpmn-js/lib/features/rules/BpmnRules';
import type { Connection, Element, Shape } from 'bpmn-js/lib/model/Types';
import { is } from 'bpmn-js/lib/util/ModelUtil';
import type Canvas from 'diagram-js/lib/core/Canvas';
import type ElementRegistry from 'diagram-js/lib/core/ElementRegistry';
import type PopupMenu from 'diagram-js/lib/features/popup-menu/PopupMenu';
import type { PopupMenuTarget } from 'diagram-js/lib/features/popup-menu/PopupMenu';
import type { PopupMenuEntries } from 'diagram-js/lib/features/popup-menu/PopupMenuProvider';
import type Selection from 'diagram-js/lib/features/selection/Selection';
import type { ParseKeys } from 'i18next';
import { t } from '@/i18n';
import {
  attachable,
  following,
  type Group,
  KINDS,
  type Kind,
  kindOf,
  kindTitle,
  replacements,
} from './kinds';
import { nameOf } from './names';
import type { Offer } from './offer';
import type { Placing } from './placing';

export type Menu = 'append' | 'create' | 'replace';

/** The library opens the one for replacing by this name itself. */
const IDS: Readonly<Record<Menu, string>> = {
  append: 'xw-append',
  create: 'xw-create',
  replace: 'bpmn-replace',
};
const TITLES: Readonly<Record<Menu, ParseKeys>> = {
  append: 'designer.menu.append',
  create: 'designer.menu.create',
  replace: 'designer.menu.replace',
};

/** Steps are drawn most often. */
const ORDER: readonly Group[] = ['activity', 'gateway', 'event', 'note'];

/** Words that find an entry whatever language it is shown in: the English and the BPMN name. */
function termsOf({ type, name }: Kind): string {
  return `${type.replace('bpmn:', '')} ${name}`;
}

export class Menus {
  static $inject = [
    'popupMenu',
    'placing',
    'canvas',
    'selection',
    'elementRegistry',
    'bpmnRules',
    'modeling',
    'offer',
  ];

  constructor(
    private readonly popup: PopupMenu,
    private readonly placing: Placing,
    private readonly canvas: Canvas,
    private readonly selection: Selection,
    private readonly registry: ElementRegistry,
    private readonly rules: BpmnRules,
    private readonly modeling: Modeling,
    private readonly offer: Offer,
  ) {
    // The library searches at keys only: a word that was spoken, pasted or composed has none of its own.
    canvas.getContainer().addEventListener('input', ({ target }) => {
      if (target instanceof HTMLInputElement && target.closest('.djs-popup, .djs-search-container'))
        target.dispatchEvent(new KeyboardEvent('keyup', { bubbles: true }));
    });
    const menus: Readonly<Record<Menu, (element: Element) => PopupMenuEntries>> = {
      append: (element) => this.appending(element),
      create: () =>
        this.kinds(
          KINDS.filter(({ type }) => type !== 'bpmn:BoundaryEvent'),
          (kind) => this.placing.place(kind),
        ),
      replace: (element) => this.replacing(element),
    };
    for (const [menu, entries] of Object.entries(menus)) {
      popup.registerProvider(IDS[menu as Menu], {
        getPopupMenuEntries: (target: PopupMenuTarget) =>
          Array.isArray(target) ? {} : entries(target as Element),
        getEmptyPlaceholder: () => () => t('designer.menu.nothing') as never,
      });
    }
  }

  has(menu: Menu, element: Element): boolean {
    return !this.popup.isEmpty(element, IDS[menu]);
  }

  /** Opens a menu for what is chosen, or for the whole drawing; nothing happens where it would be empty. */
  open(menu: Menu, at?: { x: number; y: number }): void {
    const [chosen] = this.selection.get() as Element[];
    const target = chosen ?? (this.canvas.getRootElement() as Element);
    if (!this.has(menu, target)) return;
    this.popup.open(target, IDS[menu], at ?? this.besides(chosen), {
      title: t(TITLES[menu]),
      width: 300,
      search: true,
    });
  }

  private besides(element: Element | undefined): { x: number; y: number } {
    const { left, top } = this.canvas.getContainer().getBoundingClientRect();
    if (!element) return { x: left + 80, y: top + 40 };
    const box = this.canvas.getAbsoluteBBox(element as Shape | Connection);
    return { x: left + box.x + box.width + 12, y: top + box.y };
  }

  private kinds(kinds: readonly Kind[], act: (kind: Kind) => void, group?: string): PopupMenuEntries {
    const offered = kinds
      .filter((kind) => this.offer.kinds.includes(kind))
      .sort((one, other) => ORDER.indexOf(one.group) - ORDER.indexOf(other.group));
    return Object.fromEntries(
      offered.map((kind) => [
        `${group ?? kind.group}.${kind.name}`,
        {
          label: t(kindTitle(kind)),
          className: kind.icon,
          group: {
            id: group ?? kind.group,
            name: group ? t('designer.menu.border') : t(`designer.groups.${kind.group}`),
          },
          search: termsOf(kind),
          action: () => {
            this.popup.close();
            act(kind);
          },
        },
      ]),
    );
  }

  private appending(element: Element): PopupMenuEntries {
    const targets = is(element, 'bpmn:FlowNode')
      ? (this.registry.filter(
          (other) =>
            is(other, 'bpmn:FlowNode') &&
            other.type !== 'label' &&
            other !== element &&
            Boolean(this.rules.canConnectSequenceFlow(element, other as Element)) &&
            !element.outgoing?.some(({ target }) => target === other),
        ) as Element[])
      : [];
    return {
      ...this.kinds(following(element), (kind) => this.placing.append(element, kind)),
      ...this.kinds(attachable(element), (kind) => this.placing.attach(element, kind), 'border'),
      ...Object.fromEntries(
        targets.map((target) => [
          `connect.${target.id}`,
          {
            label: nameOf(target.businessObject) || target.id,
            description: target.id,
            className: kindOf(target)?.icon ?? 'bpmn-icon-connection',
            group: { id: 'connect', name: t('designer.menu.connect') },
            search: target.id,
            action: () => {
              this.popup.close();
              this.placing.connect(element, target);
            },
          },
        ]),
      ),
    };
  }

  private replacing(element: Element): PopupMenuEntries {
    if (is(element, 'bpmn:SequenceFlow')) return this.defaults(element);
    return this.kinds(replacements(element), (kind) => this.placing.turnInto(element, kind));
  }

  /** Of a flow out of a choice: whether it is taken when no condition is true. */
  private defaults(flow: Element): PopupMenuEntries {
    const source = (flow as Element & { source: Element }).source;
    if (!is(source, 'bpmn:ExclusiveGateway') && !is(source, 'bpmn:InclusiveGateway')) return {};
    const isDefault = source.businessObject.default === flow.businessObject;
    return {
      default: {
        label: t(isDefault ? 'designer.menu.notDefault' : 'designer.menu.default'),
        className: isDefault ? 'bpmn-icon-connection' : 'bpmn-icon-default-flow',
        action: () => {
          this.popup.close();
          this.modeling.updateProperties(source, { default: isDefault ? undefined : flow.businessObject });
        },
      },
    };
  }
}
