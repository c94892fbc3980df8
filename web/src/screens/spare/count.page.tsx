/** A stocktake: parts are scanned and counted one after the other, the differences are seen, and all are posted at once. */
import { DeleteOutlined } from '@ant-design/icons';
import { Alert, App, Button, Form, Input, InputNumber } from 'antd';
import { useState } from 'react';
import { api } from '@/api/client';
import type { Wire } from '@/api/wire';
import { useTranslation } from '@/i18n';
import { ConfirmDialog } from '@/kit/ConfirmDialog';
import { Section } from '@/kit/Section';
import { ToneTag } from '@/kit/StateTag';
import { EmptyState, ErrorLine } from '@/kit/states';
import { useAction } from '@/kit/useAction';
import { yuan } from '@/lib/money';
import { type Part, PartFinder, partOf, plain, ScanBox } from '@/screens/shared/spareScan';
import { draftOf, dropDraft, keepDraft } from '@/session/drafts';
import { TOUCHED } from './move';

const SHEET = 'spare.count';
const CALL = '/yuzhu-equip/spareflow/count';

interface Counted {
  spareId: string;
  spareCode: string;
  spareName: string;
  unit: string;
  locationCode: string;
  isInteger: number;
  seenQty: number;
  /** Nothing while nobody has entered it: an empty field is no count of none. */
  countedQty: number | null;
}

/** The sheet is kept on this device: a count takes hours, and a reload loses nothing. */
function useSheet() {
  const [lines, setLines] = useState<readonly Counted[]>(
    () => (draftOf(SHEET)?.values as { lines?: readonly Counted[] } | undefined)?.lines ?? [],
  );
  const keep = (now: readonly Counted[]) => {
    setLines(now);
    if (now.length > 0) keepDraft(SHEET, { at: Date.now(), values: { lines: now } });
    else dropDraft(SHEET);
  };
  return [lines, keep] as const;
}

export default function Stocktake() {
  const { t } = useTranslation();
  const { message } = App.useApp();
  const [lines, setLines] = useSheet();
  const [found, setFound] = useState<Wire<'Count'>>();
  const [remark, setRemark] = useState('');
  const [clears, setClears] = useState(false);
  const [unsaid, setUnsaid] = useState(false);
  const isBlank = lines.some(({ countedQty }) => countedQty === null);
  const add = (part: Part) => {
    setFound(undefined);
    const known = lines.find(({ spareId }) => spareId === part.id);
    if (known) {
      setLines([
        { ...known, countedQty: (known.countedQty ?? 0) + 1 },
        ...lines.filter((line) => line !== known),
      ]);
      return;
    }
    const { id: spareId, spareCode, spareName, unit, locationCode, isInteger, stockQty } = part;
    const line = { spareId, spareCode, spareName, unit, locationCode, isInteger, seenQty: stockQty };
    setLines([{ ...line, countedQty: 1 }, ...lines]);
  };
  const body = (preview: 0 | 1) => ({
    lines: lines.map(({ spareId, countedQty, seenQty }) => ({ spareId, countedQty, seenQty })),
    remark: remark.trim(),
    preview,
  });
  const look = useAction({
    run: () => api.post(CALL, body(1) as never),
    onDone: (answer) => setFound(answer as Wire<'Count'>),
  });
  const post = useAction({
    run: () => api.post(CALL, body(0) as never),
    invalidates: TOUCHED,
    onDone: (answer) => {
      const { surplus, shortage } = answer as Wire<'Count'>;
      message.success(t('spares.count.done', { count: surplus + shortage }));
      setLines([]);
      setFound(undefined);
      setRemark('');
    },
  });
  const isWrong = found?.lines.some(({ error }) => error);
  return (
    <div className="x-spare-count">
      <div className="x-head">
        <h1>{t('spares.count.title')}</h1>
      </div>
      <p className="x-hint">{t('spares.count.hint')}</p>
      {!found && (
        <Section title={t('spares.scan')}>
          <div className="x-spares">
            <ScanBox
              onText={async (text) => {
                const part = await partOf(text);
                if (!part) return t('spares.scanNone', { text: text.slice(0, 40) });
                add(part);
                return undefined;
              }}
            />
            <PartFinder onFound={add} />
          </div>
        </Section>
      )}
      {lines.length === 0 && (
        <EmptyState title={t('spares.count.empty')} hint={t('spares.count.emptyHint')} />
      )}
      {!found && lines.length > 0 && (
        <Section
          title={`${t('spares.parts')} (${lines.length})`}
          action={
            <Button type="link" danger onClick={() => setClears(true)}>
              {t('spares.count.clear')}
            </Button>
          }
        >
          <ul className="x-plain">
            {lines.map((line) => (
              <li key={line.spareId} className="x-spare-line">
                <div>
                  {line.spareName} <span className="x-quiet">{line.spareCode}</span>
                  <div className="x-quiet x-spare-figures">
                    {line.locationCode && <span>{line.locationCode}</span>}
                    <span>
                      {t('spares.count.onRecord')} {plain(line.seenQty)} {line.unit}
                    </span>
                  </div>
                </div>
                <span className="x-nowrap">
                  <InputNumber
                    aria-label={`${line.spareName} ${t('spares.count.counted')}`}
                    inputMode="decimal"
                    min={0}
                    precision={line.isInteger ? 0 : 3}
                    value={line.countedQty}
                    status={line.countedQty === null ? 'error' : undefined}
                    onChange={(given) =>
                      setLines(lines.map((one) => (one === line ? { ...one, countedQty: given } : one)))
                    }
                  />
                  <Button
                    type="text"
                    icon={<DeleteOutlined />}
                    aria-label={`${t('spares.remove')} ${line.spareName}`}
                    onClick={() => setLines(lines.filter((one) => one !== line))}
                  />
                </span>
              </li>
            ))}
          </ul>
          <ErrorLine error={look.error} />
          {isBlank && <Alert type="warning" showIcon title={t('spares.count.blank')} />}
          <div className="x-spare-acts">
            <Button type="primary" disabled={isBlank} loading={look.busy} onClick={() => look.run()}>
              {t('spares.count.preview')}
            </Button>
          </div>
        </Section>
      )}
      {found && (
        <Section title={t('spares.count.difference')}>
          <p>
            {t('spares.count.sum', {
              surplus: found.surplus,
              more: yuan(found.surplusAmount),
              shortage: found.shortage,
              less: yuan(found.shortageAmount),
            })}
          </p>
          <ul className="x-plain">
            {found.lines.map((line) => (
              <li key={line.spareId} className="x-spare-line">
                <div>
                  {line.spareName} <span className="x-quiet">{line.spareCode}</span>
                  <div className="x-quiet">
                    {t('spares.count.onRecord')} {plain(line.stockQty)} {line.unit} ·{' '}
                    {t('spares.count.counted')} {plain(line.countedQty)} {line.unit}
                  </div>
                  {line.error && <Alert type="error" showIcon title={line.error} />}
                </div>
                <span className="x-line-end">
                  {line.difference === 0 ? (
                    <span className="x-quiet">{t('spares.count.same')}</span>
                  ) : (
                    <>
                      <ToneTag tone={line.difference > 0 ? 'active' : 'bad'}>
                        {line.difference > 0 ? '+' : '−'}
                        {plain(Math.abs(line.difference))} {line.unit}
                      </ToneTag>
                      <span className="x-nowrap">{yuan(line.amount)}</span>
                    </>
                  )}
                </span>
              </li>
            ))}
          </ul>
          {isWrong ? (
            <Alert className="x-block" type="warning" showIcon title={t('spares.count.fix')} />
          ) : (
            <Form.Item
              layout="vertical"
              label={t('spares.count.remark')}
              htmlFor="count-remark"
              required
              validateStatus={unsaid ? 'error' : undefined}
              help={unsaid ? t('spares.count.remarkMissing') : undefined}
            >
              <Input.TextArea
                id="count-remark"
                value={remark}
                maxLength={255}
                autoSize={{ minRows: 2 }}
                onChange={(event) => {
                  setRemark(event.target.value);
                  setUnsaid(false);
                }}
              />
            </Form.Item>
          )}
          <ErrorLine error={post.error} />
          <div className="x-spare-acts">
            <Button
              onClick={() => {
                setFound(undefined);
                post.reset();
              }}
            >
              {t('spares.count.back')}
            </Button>
            <Button
              type="primary"
              disabled={isWrong}
              loading={post.busy}
              onClick={() => (remark.trim() ? post.run() : setUnsaid(true))}
            >
              {t('spares.count.post')}
            </Button>
          </div>
        </Section>
      )}
      {clears && (
        <ConfirmDialog
          title={t('spares.count.clearTitle')}
          okText={t('spares.count.clear')}
          danger
          run={async () => setLines([])}
          onClose={() => setClears(false)}
        >
          {t('spares.count.clearHint')}
        </ConfirmDialog>
      )}
    </div>
  );
}
