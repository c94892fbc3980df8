/** Ids that people can read and say: userTask_1, userTask_2, flow_1. */

import BpmnFactory from 'bpmn-js/lib/features/modeling/BpmnFactory';
import type { ModdleElement } from 'bpmn-js/lib/model/Types';

interface Ids {
  assigned: (id: string) => unknown;
  claim: (id: string, element: ModdleElement) => void;
}

/** The parts of the library's factory that its types leave out. */
interface Inside {
  _model: { ids: Ids };
  _needsId: (element: ModdleElement) => boolean;
}

function prefixOf(type: string): string {
  const plain = type.replace(/^[^:]*:/, '');
  if (plain === 'SequenceFlow') return 'flow';
  return plain.charAt(0).toLowerCase() + plain.slice(1);
}

export class CountingFactory extends BpmnFactory {
  /** Called by the library for everything that it makes. */
  _ensureId(element: ModdleElement): void {
    const { _model, _needsId } = this as unknown as Inside;
    if (!element.id) {
      if (!_needsId.call(this, element)) return;
      const prefix = prefixOf(element.$type);
      let number = 1;
      while (_model.ids.assigned(`${prefix}_${number}`)) number += 1;
      element.id = `${prefix}_${number}`;
    }
    _model.ids.claim(element.id, element);
  }
}

CountingFactory.$inject = BpmnFactory.$inject;
