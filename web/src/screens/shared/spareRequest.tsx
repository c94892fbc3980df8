/** Requests for spare parts: the form, what was requested for an order, and what is done with a request. */
import { DeleteOutlined } from '@ant-design/icons';
import { App, Button, InputNumber, Switch } from 'antd';
import { useState } from 'react';
import { Link } from 'react-router';
import { api } from '@/api/client';
import { spareinfo } from '@/api/nouns/spareinfo';
import { spareuselog } from '@/api/nouns/spareuselog';
import type { Wire } from '@/api/wire';
import { useTranslation } from '@/i18n';
import { FormDrawer } from '@/kit/FormDrawer';
import { Field, TextAreaField } from '@/kit/fields';
import { changeBy, useRequired } from '@/kit/required';
import { StateTag, ToneTag } from '@/kit/StateTag';
import { moment } from '@/lib/dates';
import { yuan } from '@/lib/money';
import { useCanOpen } from '@/session/rights';
import { type Part, PartFinder, partOf, plain, ScanBox } from './spareScan';

export type Request = Wire<'RequestShown'>;
type Line = Request['lines'][number];

/** The form of requests among those in which companies say what they require. */
const SCENE = 7;
const OTHER = 3;
export const REQUESTS = '/spare/request';
const TOUCHED = [[spareuselog.name], [spareinfo.name], ['spareflow']] as const;

interface Wanted {
  spareId: string;
  planQty: number;
  part: Part;
}

interface PartsProps {
  id?: string;
  value?: readonly Wanted[];
  onChange?: (value: readonly Wanted[]) => void;
  machineId?: string;
}

/** Parts with quantities: chosen, scanned, counted up and removed. */
function PartsInput({ id, value = [], onChange, machineId }: PartsProps) {
  const { t } = useTranslation();
  const [narrowed, setNarrowed] = useState(false);
  const add = (part: Part) => {
    const known = value.find(({ spareId }) => spareId === part.id);
    onChange?.(
      known
        ? value.map((one) => (one === known ? { ...one, planQty: one.planQty + 1 } : one))
        : [...value, { spareId: part.id, planQty: 1, part }],
    );
  };
  return (
    <div className="x-spares" id={id}>
      <PartFinder machineId={narrowed ? machineId : undefined} onFound={add} />
      <ScanBox
        onText={async (text) => {
          const part = await partOf(text);
          if (!part) return t('spares.scanNone', { text: text.slice(0, 40) });
          add(part);
          return undefined;
        }}
      />
      {machineId && (
        // biome-ignore lint/a11y/noLabelWithoutControl: the switch is inside it
        <label>
          <Switch size="small" checked={narrowed} onChange={setNarrowed} /> {t('spares.ofMachine')}
        </label>
      )}
      {value.length > 0 && (
        <ul className="x-plain">
          {value.map(({ spareId, planQty, part }) => (
            <li key={spareId} className="x-spare-line">
              <div>
                {part.spareName} <span className="x-quiet">{[part.spareCode, part.spec].join(' ')}</span>
                <div className="x-quiet">
                  {t('spares.available', { n: plain(part.availableQty), unit: part.unit })}
                  {planQty > part.availableQty && (
                    <>
                      {' '}
                      <ToneTag tone="waiting">
                        {t('spares.shortBy', { n: plain(planQty - part.availableQty), unit: part.unit })}
                      </ToneTag>
                    </>
                  )}
                </div>
              </div>
              <span className="x-nowrap">
                <InputNumber
                  aria-label={`${part.spareName} ${t('spares.qty')}`}
                  inputMode="decimal"
                  min={part.isInteger ? 1 : 0.001}
                  precision={part.isInteger ? 0 : 3}
                  value={planQty}
                  onChange={(given) =>
                    onChange?.(
                      value.map((one) => (one.spareId === spareId ? { ...one, planQty: given ?? 0 } : one)),
                    )
                  }
                />
                <Button
                  type="text"
                  icon={<DeleteOutlined />}
                  aria-label={`${t('spares.remove')} ${part.spareName}`}
                  onClick={() => onChange?.(value.filter((one) => one.spareId !== spareId))}
                />
              </span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

interface Values {
  lines: readonly Wanted[];
  remark?: string;
}

/** What the order is called, by the call that changes it. */
const ORDER_WORDS = {
  '/yuzhu-equip/repairorder/update': 'spares.requestFor',
  '/yuzhu-equip/maintainorder/update': 'spares.requestForUpkeep',
} as const;

interface RequestFormProps {
  /** The order that the parts are for; without one the remark says what they are for. */
  order?: { id: string; orderNo: string; machineId: string; lockVersion: number };

  /** The call that the order is changed by. */
  call?: keyof typeof ORDER_WORDS;
  touches?: readonly (readonly unknown[])[];
  onClose: () => void;
}

export function RequestForm({
  order,
  call = '/yuzhu-equip/repairorder/update',
  touches = [],
  onClose,
}: RequestFormProps) {
  const { t } = useTranslation();
  const { message } = App.useApp();
  const ruleOf = useRequired(SCENE);
  const remark = changeBy(ruleOf('remark'));
  return (
    <FormDrawer<Values>
      title={t('spares.requestTitle')}
      note={[order && t(ORDER_WORDS[call], { number: order.orderNo }), t('spares.requestNote')]
        .filter(Boolean)
        .join(' · ')}
      initial={{ lines: [] }}
      submitText={t('spares.request')}
      submit={async ({ lines, remark: said = '' }) => {
        const wanted = lines.map(({ spareId, planQty }) => ({ spareId, planQty }));
        if (order) {
          const { id, lockVersion } = order;
          const body = { id, lockVersion, action: 'applySpare', lines: wanted, remark: said };
          await api.post(call, body as never);
          message.success(t('spares.requestDone'));
          return;
        }
        const done = await api.post('/yuzhu-equip/spareuselog/submit', {
          orderType: OTHER,
          lines: wanted,
          remark: said,
        });
        const isShort = done.lines.some(({ shortQty }) => shortQty > 0);
        message.success(t(isShort ? 'spares.requestShort' : 'spares.requestDone'));
      }}
      invalidates={[...TOUCHED, ...touches]}
      onConflict={onClose}
      onClose={onClose}
    >
      <Field name="lines" label={t('spares.parts')} kind="choose" valueType="array" required full>
        <PartsInput machineId={order?.machineId} />
      </Field>
      <TextAreaField
        name="remark"
        label={t(order ? 'spares.note' : 'spares.purpose')}
        hint={order ? undefined : t('spares.purposeHint')}
        max={255}
        rows={2}
        {...remark}
        required={!order || remark.required}
      />
    </FormDrawer>
  );
}

/** What was requested, and what has become of it. */
function Lines({ request }: { request: Request }) {
  const { t } = useTranslation();
  return (
    <ul className="x-plain">
      {request.lines.map((line) => (
        <li key={line.lineId} className="x-spare-line">
          <div>
            {line.spareName} <span className="x-quiet">{[line.spareCode, line.spec].join(' ')}</span>
            <div className="x-quiet x-spare-figures">
              <span>
                {t('spares.plan')} {plain(line.planQty)} {line.unit}
              </span>
              {line.reservedQty > 0 && (
                <span>
                  {t('spares.reserved')} {plain(line.reservedQty)} {line.unit}
                </span>
              )}
              {line.issuedQty > 0 && (
                <span>
                  {t('spares.issued')} {plain(line.issuedQty)} {line.unit}
                </span>
              )}
              {line.returnedQty > 0 && (
                <span>
                  {t('spares.returned')} {plain(line.returnedQty)} {line.unit}
                </span>
              )}
              {line.locationCode && (
                <span>
                  {t('spares.location')} {line.locationCode}
                </span>
              )}
            </div>
          </div>
          <span className="x-line-end">
            {line.shortQty > 0 && (
              <ToneTag tone="waiting">
                {t('spares.shortBy', { n: plain(line.shortQty), unit: line.unit })}
              </ToneTag>
            )}
            {line.amount > 0 && <span className="x-nowrap">{yuan(line.amount)}</span>}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** As their buttons stand: what ends the request apart at the left, what is done most at the right. */
const ACTS = ['reject', 'cancel', 'finish', 'return', 'reserve', 'issue'] as const;
type Act = (typeof ACTS)[number];
const ENDS: readonly Act[] = ['reject', 'cancel'];
const WITH_LINES: readonly Act[] = ['reserve', 'issue', 'return'];

/** The most of a line that an act may take. */
function mostOf(act: Act, line: Line): number {
  if (act === 'return') return line.issuedQty - line.returnedQty;
  const rest = line.planQty - line.issuedQty;
  return act === 'issue' ? rest : rest - line.reservedQty;
}

/** What an act begins with: as much as there is. */
function beginsWith(act: Act, line: Line): number {
  const most = mostOf(act, line);
  if (act === 'return') return 0;
  const there = line.availableQty + (act === 'issue' ? line.reservedQty : 0);
  return Math.max(0, Math.min(most, there));
}

interface HandleProps {
  request: Request;
  act: Act;
  touches: readonly (readonly unknown[])[];
  onClose: () => void;
}

function HandleForm({ request, act, touches, onClose }: HandleProps) {
  const { t } = useTranslation();
  const lines = WITH_LINES.includes(act) ? request.lines.filter((line) => mostOf(act, line) > 0) : [];
  return (
    <FormDrawer<{ qty?: Readonly<Record<string, number>>; remark?: string }>
      size="small"
      title={`${t(`spares.act.${act}`)} · ${request.logNo}`}
      note={t(`spares.will.${act}`)}
      danger={ENDS.includes(act)}
      initial={{ qty: Object.fromEntries(lines.map((line) => [line.lineId, beginsWith(act, line)])) }}
      submitText={t(`spares.act.${act}`)}
      submit={({ qty = {}, remark = '' }) =>
        api.post('/yuzhu-equip/spareuselog/handle', {
          id: request.id,
          lockVersion: request.lockVersion,
          action: act,
          lines: lines
            .filter(({ lineId }) => (qty[lineId] ?? 0) > 0)
            .map(({ lineId }) => ({ lineId, qty: qty[lineId] ?? 0 })),
          remark,
        })
      }
      invalidates={[...TOUCHED, ...touches]}
      onConflict={onClose}
      onClose={onClose}
    >
      {(form) => (
        <>
          {lines.length > 0 && (
            <Field name="qty" label={t('spares.parts')} kind="choose" valueType="object" required full>
              <Quantities
                lines={lines}
                act={act}
                onScan={async (text) => {
                  const word = text.trim().toLowerCase();
                  const found = lines.find(
                    ({ barcode, spareCode }) =>
                      barcode.toLowerCase() === word || spareCode.toLowerCase() === word,
                  );
                  if (!found) {
                    const other = await partOf(text);
                    return other
                      ? t('spares.scanNotHere', { name: other.spareName })
                      : t('spares.scanNone', { text: text.slice(0, 40) });
                  }
                  const before = form.getFieldValue(['qty', found.lineId]) ?? 0;
                  const now = Math.min(mostOf(act, found), before + 1);
                  form.setFieldValue('qty', { ...form.getFieldValue('qty'), [found.lineId]: now });
                  return undefined;
                }}
              />
            </Field>
          )}
          <TextAreaField
            name="remark"
            label={t(act === 'reject' ? 'spares.rejectReason' : 'spares.remark')}
            max={200}
            rows={2}
            required={act === 'reject'}
          />
        </>
      )}
    </FormDrawer>
  );
}

interface QuantitiesProps {
  id?: string;
  lines: readonly Line[];
  act: Act;
  value?: Readonly<Record<string, number>>;
  onChange?: (value: Readonly<Record<string, number>>) => void;
  onScan: (text: string) => Promise<string | undefined>;
}

/** How much of each line; a scan adds one. */
function Quantities({ id, lines, act, value = {}, onChange, onScan }: QuantitiesProps) {
  const { t } = useTranslation();
  return (
    <div className="x-spares" id={id}>
      <ScanBox onText={onScan} />
      <ul className="x-plain">
        {lines.map((line) => (
          <li key={line.lineId} className="x-spare-line">
            <div>
              {line.spareName} <span className="x-quiet">{line.spareCode}</span>
              <div className="x-quiet x-spare-figures">
                {line.locationCode && <span>{line.locationCode}</span>}
                <span>
                  {act === 'return'
                    ? `${t('spares.issued')} ${plain(mostOf(act, line))} ${line.unit}`
                    : t('spares.available', {
                        n: plain(line.availableQty + line.reservedQty),
                        unit: line.unit,
                      })}
                </span>
              </div>
            </div>
            <InputNumber
              aria-label={`${line.spareName} ${t('spares.qty')}`}
              inputMode="decimal"
              min={0}
              max={mostOf(act, line)}
              precision={line.isInteger ? 0 : 3}
              suffix={`/ ${plain(mostOf(act, line))}`}
              value={value[line.lineId]}
              onChange={(given) => onChange?.({ ...value, [line.lineId]: given ?? 0 })}
            />
          </li>
        ))}
      </ul>
    </div>
  );
}

interface CardProps {
  request: Request;
  touches?: readonly (readonly unknown[])[];
  /** Whether the head says which request it is. */
  named?: boolean;
}

/** A request with its lines, and the buttons of what may be done with it. */
export function RequestCard({ request, touches = [], named }: CardProps) {
  const { t } = useTranslation();
  const [act, setAct] = useState<Act>();
  const opens = useCanOpen(REQUESTS);
  const acts = ACTS.filter(
    (one) =>
      request.allowedActions.includes(one) &&
      (!WITH_LINES.includes(one) || request.lines.some((line) => mostOf(one, line) > 0)),
  );
  const main = acts.find((one) => one === 'issue') ?? acts.find((one) => one === 'return');
  return (
    <div className="x-block">
      {named && (
        <div className="x-marks">
          {opens ? <Link to={`${REQUESTS}?show=${request.id}`}>{request.logNo}</Link> : request.logNo}
          <StateTag dict="spare_use_status" value={request.status} text={request.statusName} />
          <span className="x-quiet">
            {request.applyUserName} {moment(request.applyTime)}
          </span>
        </div>
      )}
      <Lines request={request} />
      {request.handleRemark && (
        <p className="x-quiet">
          {request.handleUserName} {moment(request.handleTime)} {request.handleRemark}
        </p>
      )}
      {acts.length > 0 && (
        <div className="x-spare-acts">
          {acts.map((one) => (
            <Button
              key={one}
              danger={ENDS.includes(one)}
              className={ENDS.includes(one) ? 'x-bar-apart' : undefined}
              type={one === main ? 'primary' : 'default'}
              onClick={() => setAct(one)}
            >
              {t(`spares.act.${one}`)}
            </Button>
          ))}
        </div>
      )}
      {act && <HandleForm request={request} act={act} touches={touches} onClose={() => setAct(undefined)} />}
    </div>
  );
}

/** All requests of an order. */
export function OrderRequests({
  requests,
  touches,
}: {
  requests: readonly Request[];
  touches: readonly (readonly unknown[])[];
}) {
  return (
    <>
      {requests.map((request) => (
        <RequestCard key={request.id} request={request} touches={touches} named />
      ))}
    </>
  );
}
