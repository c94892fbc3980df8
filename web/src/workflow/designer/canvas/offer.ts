/** Which kinds are offered: those that the engine says it runs, as far as the process has something for them to do. */
import type EventBus from 'diagram-js/lib/core/EventBus';
import type { Wire } from '@/api/wire';
import { KINDS, type Kind } from './kinds';

type Catalogue = Pick<Wire<'Catalogue'>, 'elements' | 'processes'>;

export class Offer {
  static $inject = ['eventBus'];
  /** Everything, until the catalogue is there. */
  kinds: readonly Kind[] = KINDS;

  constructor(private readonly events: EventBus) {}

  limit({ elements, processes }: Catalogue): void {
    const runs = ({ type, group, eventDefinitionType = '' }: Kind) =>
      group === 'note' ||
      elements.some(
        (element) =>
          element.type === type &&
          (element.events.length === 0 || element.events.includes(eventDefinitionType)),
      );
    // Without a process to name a call is refused.
    const useful = ({ name }: Kind) => name !== 'call' || processes.length > 0;
    this.kinds = KINDS.filter((kind) => runs(kind) && useful(kind));
    // The palette is put together anew.
    this.events.fire('i18n.changed');
  }
}
