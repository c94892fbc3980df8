/** The words for what an element is, and what to call one in a sentence. */
import { useTranslation } from '@/i18n';
import { useDesigner } from '../context';
import { type Business, is, nameIn } from './model';

const TYPES = [
  'Process',
  'UserTask',
  'ServiceTask',
  'SendTask',
  'ReceiveTask',
  'ManualTask',
  'ScriptTask',
  'SubProcess',
  'CallActivity',
  'ExclusiveGateway',
  'ParallelGateway',
  'InclusiveGateway',
  'StartEvent',
  'EndEvent',
  'BoundaryEvent',
  'IntermediateCatchEvent',
  'IntermediateThrowEvent',
  'SequenceFlow',
  'Task',
] as const;

/** The word for what an element is; `Other` for what is only drawn. */
export function typeOf(of: Business): (typeof TYPES)[number] | 'Other' {
  return TYPES.find((type) => is(of, `bpmn:${type}`)) ?? 'Other';
}

/** Its name in the reader's language; of one without a name that it has none, and what it is. */
export function useCalled(): (of: Business | undefined) => string {
  const { t } = useTranslation();
  const { language } = useDesigner();
  return (of) => {
    if (!of) return '';
    return (
      nameIn(language, of) || t('panel.unnamedOf', { type: t(`panel.type.${typeOf(of)}`).toLowerCase() })
    );
  };
}
