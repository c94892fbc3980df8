/** Names in the language of the person: what is drawn, and what a typed name changes. */

import type BpmnRenderer from 'bpmn-js/lib/draw/BpmnRenderer';
import LabelEditingProvider from 'bpmn-js/lib/features/label-editing/LabelEditingProvider';
import type Modeling from 'bpmn-js/lib/features/modeling/Modeling';
import type { Connection, Element, ModdleElement, Shape } from 'bpmn-js/lib/model/Types';
import { is } from 'bpmn-js/lib/util/ModelUtil';
import type EventBus from 'diagram-js/lib/core/EventBus';
import BaseRenderer from 'diagram-js/lib/draw/BaseRenderer';
import { language } from '@/i18n';

export const ENGLISH = 'xw:nameEn';

/** What our dialect names in both languages; a note has one text. */
function isNamed(object: ModdleElement): boolean {
  return is(object, 'bpmn:FlowElement') || is(object, 'bpmn:Process');
}

function englishOf(object: ModdleElement): string {
  return isNamed(object) ? (object.get(ENGLISH) ?? '') : '';
}

/** The name as the person reads it; '' when there is none. */
export function nameOf(object: ModdleElement): string {
  return (language() === 'en-US' && englishOf(object)) || object.name || '';
}

const HAN = /[\u3400-\u9fff]/;

/**
 * Which property a name typed in this language belongs to. In English a name that is not Chinese is itself what is
 * edited as long as there is no English one: a process that is drawn in English needs no second set of names.
 */
export function nameProperty(object: ModdleElement): 'name' | typeof ENGLISH {
  if (language() !== 'en-US' || !isNamed(object)) return 'name';
  return englishOf(object) || HAN.test(object.name ?? '') ? ENGLISH : 'name';
}

const LETTER = 6;
const [PADDING, WIDEST] = [8, 90];

/** The label's box, drawn for a Chinese name, with the room that the English one needs. */
function roomFor(name: string, width: number): number {
  return Math.max(width, Math.min(WIDEST, name.length * LETTER + PADDING));
}

/** Draws English names. The element is shown to the library's renderer as if that were its name. */
export class NameRenderer extends BaseRenderer {
  static $inject = ['eventBus', 'bpmnRenderer'];

  constructor(
    eventBus: EventBus,
    private readonly renderer: BpmnRenderer,
  ) {
    super(eventBus, 1500);
  }

  override canRender(element: Element): boolean {
    return (
      language() === 'en-US' &&
      Boolean(element.businessObject?.$descriptor && englishOf(element.businessObject))
    );
  }

  override drawShape(visuals: SVGElement, shape: Shape, attrs?: object): SVGElement {
    const name = englishOf(shape.businessObject);
    const changes: Record<string, PropertyDescriptor> = {
      businessObject: { value: Object.create(shape.businessObject, { name: { value: name } }) },
    };
    if (!shape.labelTarget) return this.draw(visuals, Object.create(shape, changes), attrs);
    const width = roomFor(name, shape.width);
    const drawn = this.draw(visuals, Object.create(shape, { ...changes, width: { value: width } }), attrs);
    // A flow's name stands beside its line and grows away from it; a shape's stays in the middle.
    const shift = is(shape.labelTarget, 'bpmn:SequenceFlow') ? 0 : (width - shape.width) / 2;
    drawn.setAttribute('transform', `translate(${-shift}, 0)`);
    return drawn;
  }

  override drawConnection(visuals: SVGElement, connection: Connection): SVGElement {
    return this.renderer.drawConnection(visuals, connection);
  }

  override getShapePath(shape: Shape): string {
    return this.renderer.getShapePath(shape);
  }

  private draw(visuals: SVGElement, shape: Shape, attrs?: object): SVGElement {
    return (this.renderer.drawShape as (...given: unknown[]) => SVGElement).call(
      this.renderer,
      visuals,
      shape,
      attrs,
    );
  }
}

/** Typing a name on the canvas changes the one that is shown there. */
export class NameEditing extends LabelEditingProvider {
  override activate(element: Element): ReturnType<LabelEditingProvider['activate']> {
    const context = super.activate(element);
    return context && isNamed(element.businessObject)
      ? { ...context, text: nameOf(element.businessObject) }
      : context;
  }

  override update(element: Element, name: string, before: unknown, bounds: unknown): void {
    // The editor reports a box that a zoomed canvas has rounded too; who typed nothing has changed nothing.
    if (name === before && !is(element.businessObject, 'bpmn:TextAnnotation')) return;
    if (nameProperty(element.businessObject) === 'name') super.update(element, name, before, bounds);
    else {
      const { _modeling } = this as unknown as { _modeling: Modeling };
      const target = (element as Element & { labelTarget?: Element }).labelTarget ?? element;
      _modeling.updateProperties(target, { [ENGLISH]: name.trim() || undefined });
    }
  }
}
