/** Reporting a fault: phone first, one column, the machine and the photo before everything else. */
import { Button, Form, Modal } from 'antd';
import dayjs from 'dayjs';
import { useRef, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { ApiError, api } from '@/api/client';
import type { Wire } from '@/api/wire';
import { useTranslation } from '@/i18n';
import { ChoicesField, WordsField } from '@/kit/choices';
import { useDictionary } from '@/kit/dictionary';
import { FormPage } from '@/kit/FormPage';
import {
  DateTimeField,
  FilesField,
  PhotosField,
  SwitchField,
  TextAreaField,
  TreeSelectField,
  VoiceField,
} from '@/kit/fields';
import { useRecordForm } from '@/kit/form';
import { toneOf } from '@/kit/tones';
import { moment, toWire } from '@/lib/dates';
import { randomKey } from '@/lib/random';
import { CALL, LIST, ORDER_TOUCHED, SYMPTOM, useMachineNodes, useTags } from './queries';

interface Report {
  machineId: string;
  description: string;
  /** Missing in a plant that keeps no words for symptoms. */
  faultTagIds?: string[];
  urgency: Wire<'UrgencyEnum'>;
  isStop: number;
  stopStart?: string;
  images: string[];
  voice?: string;
  files: string[];
}

const DUPLICATE = 'repair.duplicate';
const HINTS = { 1: 'critical', 2: 'urgent', 3: 'normal' } as const;

function SinceWhen() {
  const { t } = useTranslation();
  const stopped = Form.useWatch<number>('isStop') === 1;
  if (!stopped) return null;
  return (
    <DateTimeField name="stopStart" label={t('repair.report.stopStart')} until={dayjs()} required full />
  );
}

export default function ReportFault() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [params] = useSearchParams();
  const nodes = useMachineNodes(true);
  const symptoms = useTags(SYMPTOM);
  const urgencies = useDictionary('repair_urgency');
  const [alike, setAlike] = useState<Wire<'Duplicate'>[]>([]);
  // One key an opened form: a report that is sent twice is stored once. A new question to the server is a new key.
  const key = useRef(randomKey());
  const force = useRef(0);

  const submit = async (values: Report): Promise<Wire<'Saved'>> => {
    const forced = force.current;
    force.current = 0;
    const report: Wire<'SaveInputRequest'> = {
      ...values,
      faultTagIds: (values.faultTagIds ?? []).join(','),
      stopStart: values.isStop ? values.stopStart : undefined,
      force: forced,
    };
    const answer = await api.post<Wire<'Reported'>>(`${CALL}/save`, report, undefined, {
      'Idempotency-Key': key.current,
    });
    if (!('needConfirm' in answer)) return answer;
    key.current = randomKey();
    setAlike(answer.orders);
    throw new ApiError(0, t('repair.report.duplicate'), DUPLICATE);
  };

  const handle = useRecordForm<Report, Wire<'Saved'>>({
    initial: {
      machineId: params.get('machineId') ?? undefined,
      faultTagIds: [],
      urgency: 3,
      isStop: 0,
      stopStart: toWire(dayjs().startOf('minute')),
      images: [],
      files: [],
    },
    submit,
    invalidates: ORDER_TOUCHED,
    onDone: ({ id }) => navigate(`${LIST}/${id}`, { replace: true }),
  });

  const anyway = () => {
    setAlike([]);
    force.current = 1;
    handle.form.submit();
  };

  return (
    <div className="x-narrow">
      <FormPage handle={handle} title={t('repair.reportTitle')} submitText={t('repair.report.submit')}>
        <TreeSelectField
          name="machineId"
          label={t('repair.machine')}
          nodes={nodes ?? []}
          loading={!nodes}
          placeholder={nodes?.length === 0 ? t('repair.report.machineNone') : t('repair.report.machineHint')}
          required
          full
        />
        <TextAreaField
          name="description"
          label={t('repair.description')}
          placeholder={t('repair.report.descriptionHint')}
          max={1000}
          min={4}
          message={t('repair.report.descriptionShort')}
          required
        />
        {symptoms.length > 0 && (
          <WordsField name="faultTagIds" label={t('repair.symptoms')} options={symptoms} />
        )}
        <PhotosField name="images" label={t('repair.photos')} />
        <VoiceField name="voice" label={t('repair.voice')} />
        <FilesField name="files" label={t('repair.files')} />
        <ChoicesField
          name="urgency"
          label={t('repair.urgency')}
          choices={([1, 2, 3] as const).map((value) => ({
            value,
            label: urgencies.label(value),
            hint: t(`repair.report.urgencyHint.${HINTS[value]}`),
            tone: toneOf('repair_urgency', value),
          }))}
          required
        />
        <SwitchField name="isStop" label={t('repair.report.isStop')} full />
        <SinceWhen />
      </FormPage>
      <Modal
        open={alike.length > 0}
        centered
        title={t('repair.report.duplicateTitle')}
        onCancel={() => setAlike([])}
        footer={
          <div className="x-bar">
            <Button onClick={() => setAlike([])}>{t('repair.report.back')}</Button>
            <Button type="primary" onClick={anyway}>
              {t('repair.report.anyway')}
            </Button>
          </div>
        }
      >
        <p>{t('repair.report.duplicate')}</p>
        <ul className="x-plain">
          {alike.map((order) => (
            <li key={order.id} className="x-line">
              <div>
                <strong>{order.title}</strong>
                <div className="x-quiet">
                  {order.orderNo} ·{' '}
                  {t('repair.report.duplicateOf', {
                    status: order.statusName,
                    time: moment(order.reportTime),
                  })}
                </div>
              </div>
              <Button onClick={() => navigate(`${LIST}/${order.id}`)}>{t('repair.report.open')}</Button>
            </li>
          ))}
        </ul>
      </Modal>
    </div>
  );
}
