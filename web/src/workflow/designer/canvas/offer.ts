/** Which kinds are offered: those that the engine says it runs, as far as the process has something for them to do. */
import type EventBus from 'diagram-js/lib/core/EventBus';
import type { Wire } from '@/api/wire';
import { KINDS, type Kind } from './kinds';

type Catalogue = Pick<Wire<'Catalogue'>, 'elements' | 'operations' | 'processes'>;

export class Offer {
  static $inject = ['eventBus'];
  /** Everything, until the catalogue is there. */
  kinds: readonly Kind[] = KINDS;

  constructor(private readonly events: EventBus) {}

  limit({ elements, operations, processes }: Catalogue): void {
    const runs = ({ type, group, eventDefinitionType = '' }: Kind) =>
      group === 'note' ||
      elements.some(
        (element) =>
          element.type === type &&
          (element.events.length === 0 || element.events.includes(eventDefinitionType)),
      );
    // Without an operation to name a service task is refused, and a call without a process.
    const useful = ({ name }: Kind) =>
      (name !== 'serviceTask' || operations.length > 0) && (name !== 'call' || processes.length > 0);
    this.kinds = KINDS.filter((kind) => runs(kind) && useful(kind));
    // The palette is put together anew.
    this.events.fire('i18n.changed');
  }
}
