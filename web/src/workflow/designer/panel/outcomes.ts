/** What a step may end with: what it declares, else what the gateway behind it asks. */
import { conditionsOf } from './conditions';
import { type Business, conditionOf, is, partOf, textOf, waysOf, waysTo, words } from './model';

export const MAX_OUTCOMES = 20;
export const MAX_OUTCOME = 40;

export interface Way {
  flow: Business;
  /** Empty for the way that is taken else. */
  outcome: string;
}

/** The one outcome that a condition asks for; undefined when it asks for anything else. */
function askedBy(condition: string): string | undefined {
  const rows = conditionsOf(condition);
  const [row] = rows?.items ?? [];
  const isOutcome = row?.kind === 'row' && rows?.items.length === 1 && row.name === 'outcome';
  return isOutcome && row.comparison === 'equal' && typeof row.value === 'string' ? row.value : undefined;
}

/** The ways of the choice right behind the step by the outcome that each asks for; empty where none asks. */
export function waysBehind(step: Business): Way[] {
  const [flow] = waysOf(step);
  const gateway = partOf(flow, 'targetRef');
  if (!gateway || !is(gateway, 'bpmn:ExclusiveGateway', 'bpmn:InclusiveGateway')) return [];
  const found = waysOf(gateway).flatMap((way) => {
    const condition = partOf(gateway, 'default') === way ? '' : conditionOf(way);
    const outcome = condition ? askedBy(condition) : '';
    return outcome === undefined ? [] : [{ flow: way, outcome }];
  });
  return found.some(({ outcome }) => outcome) ? found : [];
}

/** The outcomes that a step declares. */
export function declaredBy(step: Business): string[] {
  return words(textOf(step, 'xw:outcomes'));
}

/** The outcomes that a gateway may meet: of the steps right before it. */
export function outcomesBefore(gateway: Business): string[] {
  const steps = waysTo(gateway)
    .map((flow) => partOf(flow, 'sourceRef'))
    .filter((node) => is(node, 'bpmn:UserTask')) as Business[];
  const found = steps.flatMap((step) => [...declaredBy(step), ...waysBehind(step).map((way) => way.outcome)]);
  return [...new Set(found.filter(Boolean))];
}
