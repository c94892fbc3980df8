/** Sending a message that a process waits for, with the fields that it sets; for who may send messages. */
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { api } from '@/api/client';
import type { Wire } from '@/api/wire';
import { useTranslation } from '@/i18n';
import type { DocumentAction } from '@/kit/DocumentPage';
import { FormDrawer } from '@/kit/FormDrawer';
import { useRights } from '@/session/rights';
import { DrawnFields } from './forms/DrawnFields';
import { initialOf, schemaOf, sentOf } from './forms/schema';
import { TOUCHED } from './queries';

type Awaited = Wire<'AwaitedMessage'>;

/** What a process waits for; nothing for who may send nothing. */
function useAwaited(id: string): readonly Awaited[] {
  const may = useRights();
  const { data } = useQuery({
    queryKey: ['process', 'awaited', id],
    queryFn: ({ signal }) => api.get('/blade-flow/message/awaited', { processInstanceId: id }, signal),
    enabled: may('flow_follow_send'),
  });
  return data ?? [];
}

const titleOf = ({ name, nodeName }: Awaited) => (nodeName ? `${name} · ${nodeName}` : name);

/** The actions of a process's page, one for each message that it waits for, and the form behind them. */
export function useSendMessage(id: string): { actions: readonly DocumentAction[]; dialog: ReactNode } {
  const { t } = useTranslation();
  const [chosen, choose] = useState<Awaited>();
  const awaited = useAwaited(id);
  const actions = awaited.map((message) => ({
    key: `message ${message.node} ${message.name}`,
    label:
      awaited.length > 1 ? t('work.message.sendOne', { name: titleOf(message) }) : t('work.message.send'),
    onClick: () => choose(message),
  }));
  return {
    actions,
    dialog: chosen && <SendForm id={id} message={chosen} onClose={() => choose(undefined)} />,
  };
}

interface FormProps {
  id: string;
  message: Awaited;
  onClose: () => void;
}

function SendForm({ id, message, onClose }: FormProps) {
  const { t } = useTranslation();
  const { name, key, isSignal, form } = message;
  const schema = schemaOf(form);
  return (
    <FormDrawer<Record<string, unknown>>
      title={t('work.message.title', { name: titleOf(message) })}
      size="small"
      note={t('work.message.will')}
      submitText={t('work.message.send')}
      initial={initialOf(schema, {}, {})}
      submit={(values) =>
        api.post('/blade-flow/message/send', {
          name,
          key,
          isSignal,
          processInstanceId: id,
          values: sentOf(schema, values),
        })
      }
      success={t('work.message.sent')}
      invalidates={TOUCHED}
      onClose={onClose}
    >
      {schema && <DrawnFields schema={schema} known={{}} />}
    </FormDrawer>
  );
}
