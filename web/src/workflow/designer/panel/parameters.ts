/** What a service task gives its operation, as it stands in a drawing, and what is wrong with it before the server says so. */
import type { Wire } from '@/api/wire';
import type { Change, Edit } from './edit';
import { type Fault, faultOf } from './expression';
import { type Business, is, listOf, partOf, textOf, words } from './model';

export type Parameter = Wire<'Catalogue'>['operations'][number]['parameters'][number];
export type Kind = Parameter['kind'];

const TYPE = 'xw:Parameter';

/** What the task gives, by name, in the order of the file. */
export function givenBy(of: Business): Map<string, string> {
  return new Map(elementsOf(of).map((one) => [textOf(one, 'name'), textOf(one, 'text').trim()]));
}

function elementsOf(of: Business): Business[] {
  return listOf(partOf(of, 'extensionElements'), 'values').filter((one) => is(one, TYPE));
}

/** The change that gives one parameter this text, or takes it away where the text is empty. */
export function given(edit: Edit, of: Business, name: string, text: string): Change[] {
  const before = elementsOf(of).find((one) => textOf(one, 'name') === name);
  if (!text) return kept(of, (one) => one !== before);
  if (before) return [{ of: before, set: { text } }];
  const holder = partOf(of, 'extensionElements');
  if (holder) {
    const added = edit.make(TYPE, holder, { name, text });
    return [{ of: holder, set: { values: [...listOf(holder, 'values'), added] } }];
  }
  const made = edit.make('bpmn:ExtensionElements', of, { values: [] });
  listOf(made, 'values').push(edit.make(TYPE, made, { name, text }));
  return [{ of, set: { extensionElements: made } }];
}

/** The changes that take away the parameters that `stays` does not hold of. */
function kept(of: Business, stays: (one: Business) => boolean): Change[] {
  const holder = partOf(of, 'extensionElements');
  const all = listOf(holder, 'values');
  const values = all.filter((one) => !is(one, TYPE) || stays(one));
  if (!holder || values.length === all.length) return [];
  return values.length > 0
    ? [{ of: holder, set: { values } }]
    : [{ of, set: { extensionElements: undefined } }];
}

/** The changes that name another operation: what that one does not take goes. */
export function renamed(of: Business, operation: string | undefined, takes: readonly Parameter[]): Change[] {
  const names = takes.map(({ name }) => name);
  return [
    { of, set: { 'xw:operation': operation } },
    ...kept(of, (one) => names.includes(textOf(one, 'name'))),
  ];
}

export function isExpression(text: string): boolean {
  return /[$#]\{/.test(text);
}

/** An expression with a space among rules, which are parted by spaces: it cannot be shown as rows. */
export function isOneExpression(text: string): boolean {
  return /[$#]\{[^}]*\s/.test(text);
}

/** What the gate would say of a text: that it is missing, that its expression cannot be read, or what it has to be. */
export type Wrong =
  | 'missing'
  | 'text'
  | 'whole'
  | 'number'
  | 'flag'
  | 'choice'
  | 'date'
  | 'duration'
  | 'credential'
  | 'people';

const SHAPES = {
  flag: /^(?:true|false)$/,
  date: /^\d{4}-\d{2}-\d{2}/,
  credential: /^[A-Za-z][A-Za-z0-9_.-]{0,39}$/,
  duration: /^P(?=.)(?:\d{1,5}D)?(?:T(?=\d)(?:\d{1,6}H)?(?:\d{1,8}M)?(?:\d{1,9}S)?)?$/,
} as const;
const NUMBER = /^-?\d{1,19}(?:\.(\d{1,9}))?$/;
const RULE = /^(?:(?:user|team|role):\S+|\d+)$/;

export function wrongWith(parameter: Parameter, text: string): Wrong | Fault | undefined {
  if (text === '') return parameter.isRequired ? 'missing' : undefined;
  // No input of a process chooses which secret is sent.
  if (isExpression(text) && parameter.kind !== 'credential') return faultOf(text);
  return isFit(parameter, text) ? undefined : whatFor(parameter);
}

function whatFor({ kind, places }: Parameter): Wrong {
  return kind === 'number' && places === 0 ? 'whole' : kind;
}

function isFit({ kind, least, most, places, options }: Parameter, text: string): boolean {
  switch (kind) {
    case 'text':
      // The server counts characters, not halves of pairs.
      return [...text].length <= most;
    case 'number': {
      const [, decimals = ''] = NUMBER.exec(text) ?? [];
      const isNear = decimals.replace(/0+$/, '').length <= places;
      return NUMBER.test(text) && isNear && least <= Number(text) && Number(text) <= most;
    }
    case 'choice':
      return options.some(({ value }) => String(value) === text);
    case 'people':
      return words(text, /\s+/).every((rule) => RULE.test(rule));
    case 'date':
      return SHAPES.date.test(text) && !Number.isNaN(Date.parse(text));
    default:
      return SHAPES[kind].test(text);
  }
}
