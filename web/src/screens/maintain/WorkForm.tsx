/** The form in which maintenance is written down: on a desk beside the page, on a phone over all of it. */
import { DeleteOutlined, PlusOutlined } from '@ant-design/icons';
import { Alert, Button, Form } from 'antd';
import dayjs from 'dayjs';
import { useRef, useState } from 'react';
import { maintainorder } from '@/api/cases/maintainorder';
import { api } from '@/api/client';
import { useTranslation } from '@/i18n';
import { FormDrawer } from '@/kit/FormDrawer';
import { DateTimeField, Field, NumberField, PhotosField, TextAreaField, TextField } from '@/kit/fields';
import { ReferenceField } from '@/kit/nounFields';
import { useLabels } from '@/kit/nounText';
import { changeBy, MAINTENANCE, useRequired } from '@/kit/required';
import { ErrorLine } from '@/kit/states';
import { useAction } from '@/kit/useAction';
import { toWire } from '@/lib/dates';
import { useSession } from '@/session/session';
import { ItemsInput } from './items';
import { AddItem } from './own';
import { CALL, TOUCHED_BY_ORDER } from './queries';
import { SignInput } from './SignInput';
import {
  type Entries,
  endAfter,
  entriesOf,
  errorOf,
  laborOf,
  type Order,
  type Span,
  toWireItems,
  toWireLines,
} from './work';

const MOST_SPANS = 20;

interface Values {
  entries: Entries;
  startTime?: string;
  finishTime?: string;
  readHours?: number | null;
  stopStart?: string | null;
  stopEnd?: string | null;
  people?: string;
  spans?: Span[];
  otherCost?: number | null;
  images?: string[];
  signImage?: string[];
  summary?: string;
}

interface WorkFormProps {
  row: Order;
  onClose: () => void;
}

const minute = () => toWire(dayjs().startOf('minute'));

/** What is sent, whether it is finished or not. */
function bodyOf(order: Order, { entries, people, spans, ...values }: Values) {
  return {
    ...values,
    summary: values.summary ?? '',
    otherCost: values.otherCost ?? 0,
    details: toWireItems(order.details, entries),
    lines: toWireLines({ people, spans, ...values }),
  };
}

export function WorkForm({ row: order, onClose }: WorkFormProps) {
  const { t } = useTranslation();
  const label = useLabels(maintainorder);
  const me = useSession()?.userId;
  const ruled = useRequired(MAINTENANCE);
  // Read when the form opened; a draft that is kept meanwhile makes the order a newer one.
  const version = useRef(order.lockVersion);
  const [strict, setStrict] = useState(false);
  const [rows, setRows] = useState(order.details);
  const standing = order.standing === 1;
  const began = order.startTime ?? order.beginTime;
  const initial: Values = {
    entries: entriesOf(order.details),
    startTime: began ?? minute(),
    finishTime: order.finishTime ?? endAfter(began),
    readHours: order.readHours,
    stopStart: order.stopStart,
    stopEnd: standing ? endAfter(order.stopStart) : undefined,
    ...laborOf(order, me),
    otherCost: order.otherCost || undefined,
    images: [...(order.images ?? [])],
    signImage: [...(order.signImage ?? [])],
    summary: order.summary || undefined,
  };
  const rule = (field: string) => changeBy(ruled(field));
  const needsSign = order.needSign === 1 || rule('signImage').required === true;
  const current = { ...order, details: rows };
  return (
    <FormDrawer<Values>
      title={t('maintain.work.title', { number: order.orderNo })}
      width={880}
      initial={initial}
      draft={{ name: `maintainorder.submit.${order.id}`, version: version.current }}
      submit={(values) =>
        api.post(`${CALL}/maintainSubmit`, {
          ...bodyOf(current, values),
          id: order.id,
          lockVersion: version.current,
        } as never)
      }
      submitText={t('maintain.submit')}
      invalidates={TOUCHED_BY_ORDER}
      onConflict={onClose}
      onClose={onClose}
    >
      {(form) => (
        <>
          {order.safety && <Alert className="x-block x-full" type="warning" showIcon title={order.safety} />}
          <Form.Item
            name="entries"
            label={t('maintain.work.items')}
            className="x-full"
            rules={[
              {
                validator: (_, entries: Entries) => {
                  const wrong = rows
                    .map((row) =>
                      errorOf(
                        row,
                        entries[row.id] ?? { value: '', result: null, handling: '', images: [] },
                        t,
                      ),
                    )
                    .find((text) => text !== undefined);
                  setStrict(wrong !== undefined);
                  return wrong === undefined ? Promise.resolve() : Promise.reject(new Error(wrong));
                },
                validateTrigger: 'onSubmit',
              },
            ]}
          >
            <ItemsInput rows={rows} strict={strict} />
          </Form.Item>
          <AddItem
            order={order}
            onAdded={(made, lock) => {
              version.current = lock ?? version.current;
              setRows((all) => [...all, made]);
            }}
          />
          <DateTimeField name="startTime" label={label('startTime')} until={dayjs()} required />
          <DateTimeField name="finishTime" label={label('finishTime')} until={dayjs()} required />
          {standing && (
            <>
              <DateTimeField name="stopStart" label={label('stopStart')} until={dayjs()} required />
              <DateTimeField name="stopEnd" label={label('stopEnd')} until={dayjs()} required />
            </>
          )}
          {(order.needReading === 1 || !rule('readHours').hidden) && (
            <NumberField
              name="readHours"
              label={t('maintain.work.reading')}
              min={0}
              decimals={1}
              unit={order.meterUnitName}
              required={order.needReading === 1 || rule('readHours').required}
            />
          )}
          <ReferenceField
            name="people"
            label={t('maintain.work.people')}
            hint={t('maintain.work.peopleHint')}
            source={{ ref: '/blade-user/select' }}
            multiple
          />
          <Spans />
          <NumberField name="otherCost" label={label('otherCost')} min={0} decimals={2} unit="¥" />
          {!rule('images').hidden && (
            <PhotosField name="images" label={label('images')} required={rule('images').required} />
          )}
          {(needsSign || !rule('signImage').hidden) && (
            <Field
              name="signImage"
              label={label('signImage')}
              kind="choose"
              valueType="array"
              full
              required={needsSign}
              message={t('maintain.work.signMissing')}
            >
              <SignInput />
            </Field>
          )}
          {!rule('summary').hidden && (
            <TextAreaField
              name="summary"
              label={label('summary')}
              max={1000}
              rows={3}
              required={rule('summary').required}
            />
          )}
          <Keep
            run={async () => {
              const body = bodyOf(current, form.getFieldsValue(true) as Values);
              const { stopStart: _, stopEnd: __, ...kept } = body;
              const answer = await api.post(`${CALL}/maintainSubmit`, {
                ...kept,
                id: order.id,
                lockVersion: version.current,
                draft: 1,
              } as never);
              version.current = (answer as { lockVersion: number }).lockVersion;
            }}
          />
        </>
      )}
    </FormDrawer>
  );
}

/** Labor of who did not take part for the whole time, or several times: a row each. */
function Spans() {
  const { t } = useTranslation();
  return (
    <div className="x-full x-block">
      <Form.List name="spans">
        {(rows, { add, remove }) => (
          <>
            {rows.map(({ key, name: place }) => (
              <div key={key} className="x-span-row">
                <ReferenceField
                  name="userId"
                  at={[place, 'userId']}
                  label={t('maintain.work.person')}
                  source={{ ref: '/blade-user/select' }}
                  required
                />
                {(['startTime', 'endTime'] as const).map((name) => (
                  <DateTimeField
                    key={name}
                    name={name}
                    at={[place, name]}
                    label={t(name === 'startTime' ? 'maintain.work.from' : 'maintain.work.to')}
                    until={dayjs()}
                    required
                  />
                ))}
                <TextField
                  name="content"
                  at={[place, 'content']}
                  label={t('maintain.work.content')}
                  max={500}
                />
                <Form.Item>
                  <Button
                    type="text"
                    icon={<DeleteOutlined />}
                    aria-label={t('maintain.work.removeSpan', { n: place + 1 })}
                    onClick={() => remove(place)}
                  />
                </Form.Item>
              </div>
            ))}
            <Button icon={<PlusOutlined />} disabled={rows.length >= MOST_SPANS} onClick={() => add({})}>
              {t('maintain.work.addSpan')}
            </Button>
          </>
        )}
      </Form.List>
    </div>
  );
}

/** Keeps on the server what is written so far. */
function Keep({ run }: { run: () => Promise<void> }) {
  const { t } = useTranslation();
  const [at, setAt] = useState<string>();
  const action = useAction({ run, onDone: () => setAt(dayjs().format('HH:mm')) });
  return (
    <div className="x-full">
      <Button loading={action.busy} onClick={() => action.run()}>
        {t('maintain.work.keep')}
      </Button>{' '}
      <span className="x-quiet" role="status">
        {at ? t('maintain.work.kept', { time: at }) : t('maintain.work.keepHint')}
      </span>
      {Boolean(action.error) && <ErrorLine error={action.error} />}
    </div>
  );
}
