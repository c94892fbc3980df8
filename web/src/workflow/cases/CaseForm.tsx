/** The form of a new record: what was begun before is still there, where the case keeps drafts, and where it is kept until
 * it can be sent. */
import { useQuery } from '@tanstack/react-query';
import { Alert, App, Button } from 'antd';
import { useRef, useState } from 'react';
import { useLocation, useNavigate, useParams, useSearchParams } from 'react-router';
import { beginCase, removeCaseDraft, type Started, saveCaseDraft, startCase } from '@/api/caseCalls';
import { ApiError } from '@/api/client';
import { useLanguage, useTranslation } from '@/i18n';
import { FormPage } from '@/kit/FormPage';
import { useRecordForm } from '@/kit/form';
import { labelIn } from '@/kit/nounText';
import { PhotosOnDevice } from '@/kit/photoStore';
import { ErrorLine, ErrorState, PageSkeleton } from '@/kit/states';
import { useAction } from '@/kit/useAction';
import { randomKey } from '@/lib/random';
import { away } from '@/session/away';
import { TOUCHED } from '../queries';
import { CaseFields, sentFrom, useFieldsArrived, valuesFrom } from './CaseFields';
import { type CaseProps, detailPath, type Given, type Row, touchedBy } from './screen';

const START = '/work/start';

/** Names, in the address, what was refused and is corrected here. */
const UNSENT = 'unsent';

interface Begin extends Given {
  draft: (Given & { id: string }) | null;
}

export function CaseForm({ of, screen }: CaseProps) {
  // Asked anew at each opening: the draft may have been changed elsewhere.
  const { data, error, refetch, isFetching } = useQuery({
    queryKey: ['case', of.name, 'form'],
    queryFn: ({ signal }) =>
      of.start.drafts ? beginCase<Begin>(of, signal) : Promise.resolve<Begin>({ draft: null }),
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  if (error && !data) return <ErrorState error={error} retry={refetch} />;
  if (!data || isFetching) return <PageSkeleton rows={8} />;
  return <Form key={data.draft?.id ?? ''} of={of} screen={screen} begin={data} />;
}

function Form({ of, screen, begin }: CaseProps & { begin: Begin }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { message } = App.useApp();
  const navigate = useNavigate();
  const { processDefinitionId } = useParams();
  const [query] = useSearchParams();
  const { key: entry } = useLocation();
  const { draft } = begin;
  const { name, input } = of.start;
  const { start = {} } = screen;
  const fields = { name, input, screen, given: { ...Object.fromEntries(query), ...begin } };
  const arrived = useFieldsArrived(fields);
  const formKey = useRef(query.get(UNSENT) ?? randomKey());
  // One key an opened form: a request that is sent twice is stored once.
  const key = useRef(formKey.current);
  const { unsent } = start;
  const keep = useRef(false);
  const force = useRef(0);
  const [asks, setAsks] = useState<unknown>();

  /** Stores it on this device, and sends it from there; undefined while it waits. */
  const sendFromDevice = async (values: Given, sent: object): Promise<Started | undefined> => {
    const address = `${UNSENT}=${formKey.current}`;
    const { submit } = await away();
    const done = await submit({
      id: key.current,
      kind: 'report',
      about: `${of.name}.${formKey.current}`,
      title: unsent?.title(values) ?? '',
      group: '',
      at: Date.now(),
      page: `${of.start.page}?${address}`,
      body: { ...sent },
      form: { name: [of.name, name, address].join('.'), draft: { at: Date.now(), values } },
    });
    if (done.state === 'refused') throw done.error;
    return done.state === 'waiting' ? undefined : (done.answer as Started);
  };

  const handle = useRecordForm<Record<string, unknown>, { id: string } | undefined>({
    initial: draft
      ? valuesFrom(input, draft)
      : { ...screen.begins?.[name]?.(fields.given as unknown as Row) },
    // What the address brings along, such as a machine whose plate was scanned, is another form.
    draft: { name: [of.name, name, draft?.id, query].filter(Boolean).join('.'), stays: true },
    submit: async (values) => {
      if (keep.current) {
        keep.current = false;
        await saveCaseDraft(of, values);
        return undefined;
      }
      const forced = force.current;
      force.current = 0;
      const sent = { ...sentFrom(input, values), processDefinitionId, ...(forced && { force: forced }) };
      const answer = await (unsent ? sendFromDevice(values, sent) : startCase(of, sent, key.current));
      if (!answer?.needConfirm) return answer;
      // What is sent after a question is another request.
      key.current = randomKey();
      setAsks(answer);
      throw new ApiError(0, start.question?.() ?? '');
    },
    invalidates: [...touchedBy({ of, screen }), ...TOUCHED],
    onDone: (saved) => {
      if (!saved && unsent) {
        message.success(unsent.stored());
        // The first entry of a visit has nothing of ours behind it.
        if (entry === 'default') navigate('/');
        else navigate(-1);
        return;
      }
      if (!saved) message.success(t('work.case.drafted'));
      const page = start.page ?? ((id) => detailPath(of.segment, id));
      // The record's page says that it arrived, and whom it waits for.
      navigate(saved ? page(saved.id) : START, { replace: true, state: saved && { sent: true } });
    },
  });
  const saveDraft = () => {
    keep.current = true;
    handle.action.run(handle.form.getFieldsValue());
  };
  const discard = useAction({
    run: () => removeCaseDraft(of, draft?.id ?? ''),
    invalidates: [['case', of.name, 'form']],
  });
  if (!arrived) return <PageSkeleton rows={8} />;

  return (
    <div className="x-narrow">
      <FormPage
        handle={handle}
        title={start.title?.() ?? labelIn(language, of.start.label)}
        submitText={start.submitText?.() ?? t('work.case.send')}
        onCancel={processDefinitionId ? () => navigate(START) : undefined}
        extra={
          of.start.drafts && (
            <Button disabled={handle.uploading || handle.action.busy} onClick={saveDraft}>
              {t('work.case.draft')}
            </Button>
          )
        }
      >
        {draft && (
          <div className="x-full x-block">
            <Alert
              type="info"
              showIcon
              title={t('work.case.isDraft')}
              action={
                <Button size="small" loading={discard.busy} onClick={() => discard.run()}>
                  {t('work.case.discardDraft')}
                </Button>
              }
            />
            {Boolean(discard.error) && <ErrorLine error={discard.error} />}
          </div>
        )}
        {unsent ? (
          <PhotosOnDevice>
            <CaseFields {...fields} />
          </PhotosOnDevice>
        ) : (
          <CaseFields {...fields} />
        )}
      </FormPage>
      {asks !== undefined && start.Confirm && (
        <start.Confirm
          answer={asks}
          again={() => {
            setAsks(undefined);
            force.current = 1;
            handle.form.submit();
          }}
          onClose={() => setAsks(undefined)}
        />
      )}
    </div>
  );
}
