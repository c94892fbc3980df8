/** Starting a process of the company's own: its form as drawn, kept as a draft until it is sent. */
import { useMemo, useRef } from 'react';
import { useNavigate, useParams, useSearchParams } from 'react-router';
import { api } from '@/api/client';
import type { Wire } from '@/api/wire';
import { useTranslation } from '@/i18n';
import { FormPage } from '@/kit/FormPage';
import { useRecordForm } from '@/kit/form';
import { ErrorState, PageSkeleton } from '@/kit/states';
import { randomKey } from '@/lib/random';
import { DrawnFields } from '../forms/DrawnFields';
import { initialOf, schemaOf, sentOf, type Values } from '../forms/schema';
import { TOUCHED } from '../queries';
import { useStartForm } from './queries';

export default function StartProcess() {
  const { processDefinitionId = '' } = useParams();
  const from = useSearchParams()[0].get('from') ?? undefined;
  const { data, error, refetch } = useStartForm(processDefinitionId, from);
  if (error && !data) return <ErrorState error={error} retry={refetch} />;
  if (!data) return <PageSkeleton rows={8} />;
  return <Start key={processDefinitionId} asked={data} from={from} />;
}

interface StartProps {
  asked: Wire<'StartForm'>;
  /** The withdrawn process that is started once more. */
  from: string | undefined;
}

function Start({ asked, from }: StartProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const schema = schemaOf(asked.form);
  const initial = useMemo(() => initialOf(schema, asked.formData, asked.texts), [schema, asked]);
  // One key an opened form: what is sent twice is started once.
  const key = useRef(randomKey());
  const handle = useRecordForm<Values, Wire<'Started'>>({
    initial,
    // Of this version: another one may ask something else.
    draft: { name: `start.${asked.processDefinitionId}${from ? `.${from}` : ''}`, stays: true },
    submit: (values) =>
      api.post(
        '/blade-flow/work/start-process',
        { processDefinitionId: asked.processDefinitionId, variables: sentOf(schema, values) },
        undefined,
        { 'Idempotency-Key': key.current },
      ),
    invalidates: TOUCHED,
    onDone: ({ processInstanceId: id }) =>
      navigate(`/work/process/own/detail/${id}/${id}`, { replace: true }),
  });
  return (
    <FormPage
      title={asked.processDefinitionName}
      note={t(schema ? 'work.own.startNote' : 'work.own.startNothing', { n: asked.processDefinitionVersion })}
      handle={handle}
      submitText={t('work.own.start')}
      onCancel={() => navigate(-1)}
    >
      {schema && <DrawnFields schema={schema} known={asked.formData} texts={asked.texts} />}
    </FormPage>
  );
}
