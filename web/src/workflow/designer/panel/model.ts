/** What the panel reads of a drawing's business objects: moddle knows their types only while it runs. */
import type { Component, InputComponent, Schema } from '../../forms/schema';
import { inputsOf, schemaOf } from '../../forms/schema';

/** A moddle element. */
export interface Business {
  readonly $type: string;
  readonly $parent?: Business;
  /** What stands on it in namespaces that no descriptor knows, by prefixed name. */
  readonly $attrs: Readonly<Record<string, string>>;
  readonly $instanceOf: (type: string) => boolean;
  id: string;
  name?: string;
  get: (name: string) => unknown;
}

export function is(of: Business | undefined, ...types: readonly string[]): boolean {
  return types.some((type) => of?.$instanceOf?.(type));
}

/** A property that is a text; empty where there is none. */
export function textOf(of: Business | undefined, name: string): string {
  const value = of?.get(name);
  return typeof value === 'string' ? value : '';
}

export function listOf(of: Business | undefined, name: string): Business[] {
  const value = of?.get(name);
  return Array.isArray(value) ? (value as Business[]) : [];
}

export function partOf(of: Business | undefined, name: string): Business | undefined {
  const value = of?.get(name);
  return typeof value === 'object' && value !== null ? (value as Business) : undefined;
}

/** `a, b` as a list. */
export function words(text: string, gap: RegExp | string = ','): string[] {
  return text
    .split(gap)
    .map((word) => word.trim())
    .filter(Boolean);
}

export function definitionsOf(of: Business): Business | undefined {
  return is(of, 'bpmn:Definitions') ? of : of.$parent && definitionsOf(of.$parent);
}

/** The process that something belongs to; of a drawing with pools the one that is drawn. */
export function processOf(of: Business): Business | undefined {
  if (is(of, 'bpmn:Process')) return of;
  if (is(of, 'bpmn:Participant')) return partOf(of, 'processRef');
  const above = of.$parent;
  if (above && !is(above, 'bpmn:Definitions')) return processOf(above);
  return listOf(above, 'rootElements').find((one) => is(one, 'bpmn:Process'));
}

export interface DrawnForm {
  of: Business;
  name: string;
  /** Undefined where the text is no form. */
  schema: Schema | undefined;
}

function parsed(text: string): Schema | undefined {
  try {
    return schemaOf(JSON.parse(text) as Record<string, unknown>);
  } catch {
    return undefined;
  }
}

/** The forms that travel with the process. */
export function formsOf(process: Business | undefined): DrawnForm[] {
  return listOf(partOf(process, 'extensionElements'), 'values')
    .filter((one) => is(one, 'xw:Form'))
    .map((of) => ({ of, name: textOf(of, 'name'), schema: parsed(textOf(of, 'schema')) }));
}

/** What holds a value, in groups too; a drawing may be broken in any way. */
export function fieldsOf(schema: Schema | undefined): InputComponent[] {
  const whole = (component: Component): boolean => typeof component === 'object' && component !== null;
  return schema ? inputsOf({ components: schema.components.filter(whole) }) : [];
}

/** The event definition of a kind that an event carries. */
export function triggerOf(of: Business, type: string): Business | undefined {
  return listOf(of, 'eventDefinitions').find((one) => is(one, type));
}

/** What the file declares of a type beside its processes: messages, signals, errors. */
export function declaredOf(of: Business, type: string): Business[] {
  return listOf(definitionsOf(of), 'rootElements').filter((one) => is(one, type));
}

/** The sequence flows out of a node, in the order of the file, in which they are asked. */
export function waysOf(node: Business): Business[] {
  // A file need not say at a node which flows leave it.
  return listOf(node.$parent, 'flowElements').filter((one) => partOf(one, 'sourceRef') === node);
}

/** The sequence flows into a node. */
export function waysTo(node: Business): Business[] {
  return listOf(node.$parent, 'flowElements').filter((one) => partOf(one, 'targetRef') === node);
}

export function conditionOf(flow: Business): string {
  return textOf(partOf(flow, 'conditionExpression'), 'body');
}

/** What to call an element: its name in the reader's language, else what it is known by. */
export function calledIn(language: string, of: Business | undefined): string {
  return nameIn(language, of) || (of?.id ?? '');
}

/** Its name alone; empty where it has none. */
export function nameIn(language: string, of: Business | undefined): string {
  return (language === 'en-US' && textOf(of, 'xw:nameEn')) || textOf(of, 'name');
}
