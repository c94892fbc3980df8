/** The items of a maintenance order: to fill in, each value judged as it is typed, and to read. */
import { Button, Input } from 'antd';
import { Link } from 'react-router';
import { useLanguage, useTranslation } from '@/i18n';
import { Photos } from '@/kit/Photos';
import { PhotosInput } from '@/kit/PhotosInput';
import { StateTag, ToneTag } from '@/kit/StateTag';
import { LIST as REPAIRS } from '@/screens/shared/orders';
import { ItemMarks, ItemNorm } from '@/screens/shared/standards/ItemView';
import { CHOICE, type CheckItem, METER, NUMBER, PASS_FAIL, PHOTO } from '@/screens/shared/standards/items';
import { LimitScale } from '@/screens/shared/standards/LimitScale';
import {
  allNormal,
  BAD,
  DONE,
  type Entries,
  type Entry,
  entryOf,
  errorOf,
  isEmpty,
  isLeftOut,
  judgedOf,
  NOT_APPLICABLE,
  NOT_DONE,
  OK,
  outcomeOf,
  type Row,
  TEXT,
  WRONG,
} from './work';
import '@/screens/shared/standards/walk.css';
import './maintain.css';

const TONES = { 1: 'good', 2: 'waiting', 3: 'bad' } as const;
const RESULT_WORD = {
  1: 'rounds.task.normal',
  2: 'rounds.task.warning',
  3: 'rounds.task.abnormalWord',
} as const;

interface ItemsInputProps {
  id?: string;
  rows: readonly Row[];
  value?: Entries;
  onChange?: (entries: Entries) => void;
  /** Shows what is missing too, because somebody wanted to submit. */
  strict: boolean;
}

/** All items, one below the other. */
export function ItemsInput({ id, rows, value = {}, onChange, strict }: ItemsInputProps) {
  const { t } = useTranslation();
  const of = (row: Row) => value[row.id] ?? entryOf(row);
  const filled = rows.filter((row) => !isEmpty(row, of(row))).length;
  return (
    <div id={id} tabIndex={-1}>
      <div className="x-upkeep-head">
        <span className="x-quiet" role="status">
          {t('maintain.work.filled', { n: filled, all: rows.length })}
        </span>
        <Button onClick={() => onChange?.(allNormal(rows, value))}>{t('maintain.work.allNormal')}</Button>
      </div>
      <ol className="x-walk-items">
        {rows.map((row) => (
          <ItemInput
            key={row.id}
            row={row}
            entry={of(row)}
            error={strict ? errorOf(row, of(row), t) : undefined}
            onChange={(part) => onChange?.({ ...value, [row.id]: { ...of(row), ...part } })}
          />
        ))}
      </ol>
    </div>
  );
}

interface ItemInputProps {
  row: Row;
  entry: Entry;
  error: string | undefined;
  onChange: (part: Partial<Entry>) => void;
}

function ItemInput({ row, entry, error, onChange }: ItemInputProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const item = row.item as unknown as CheckItem | null;
  const kind = item?.valueType;
  const judged = judgedOf(row, entry);
  const result = outcomeOf(row, entry);
  const out = isLeftOut(entry);
  const choices: { value: string; label: string; tone: 'good' | 'waiting' | 'bad' }[] =
    kind === PASS_FAIL
      ? [
          { value: OK, label: item?.okLabel || t('rounds.task.normal'), tone: 'good' },
          { value: BAD, label: item?.badLabel || t('rounds.task.abnormalWord'), tone: 'bad' },
        ]
      : kind === CHOICE
        ? (item?.options ?? []).map((option) => ({
            value: option.value ?? '',
            label: (language === 'en-US' && option.labelEn) || option.label,
            tone: TONES[(option.result ?? 1) as 1],
          }))
        : [];
  // Of these the person says what came of it.
  const said = !item || kind === TEXT || kind === PHOTO;
  const press = (value: string) => onChange({ value: entry.value === value ? '' : value, result: null });
  return (
    <li className={error ? 'x-walk-wrong' : undefined}>
      <div className="x-walk-name">
        {row.itemName}
        {item?.part && <span className="x-quiet">{item.part}</span>}
        {item ? (
          <ItemMarks item={{ ...item, required: 1 }} />
        ) : (
          <ToneTag tone="quiet">{t('maintain.own')}</ToneTag>
        )}
      </div>
      {item && (item.standardText || item.tips) && (
        <div className="x-quiet">{[item.standardText, item.tips].filter(Boolean).join(' · ')}</div>
      )}
      {item && item.tipImages.length > 0 && <Photos links={item.tipImages} />}
      {!out && (
        <div className="x-walk-entry">
          {(kind === NUMBER || kind === METER) && (
            <Input
              className="x-walk-number"
              value={entry.value}
              inputMode="decimal"
              autoComplete="off"
              aria-label={row.itemName}
              suffix={item?.unit || <span />}
              status={error ? 'error' : undefined}
              onChange={(event) => onChange({ value: event.target.value, result: null })}
            />
          )}
          {choices.length > 0 && (
            // biome-ignore lint/a11y/useSemanticElements: buttons that are pressed, large enough for gloves
            <div className="x-walk-choice" role="group" aria-label={row.itemName}>
              {choices.map((choice) => (
                <button
                  key={choice.value}
                  type="button"
                  className={`x-tone-${choice.tone}`}
                  aria-pressed={
                    entry.value === choice.value ||
                    (kind === PASS_FAIL &&
                      !entry.value &&
                      entry.result === (choice.value === OK ? DONE : WRONG))
                  }
                  onClick={() => press(choice.value)}
                >
                  {choice.label}
                </button>
              ))}
            </div>
          )}
          {kind === TEXT && (
            <Input.TextArea
              value={entry.value}
              maxLength={500}
              autoSize={{ minRows: 1, maxRows: 4 }}
              aria-label={row.itemName}
              onChange={(event) => onChange({ value: event.target.value })}
            />
          )}
          {said && (
            // biome-ignore lint/a11y/useSemanticElements: buttons that are pressed, large enough for gloves
            <div className="x-walk-choice" role="group" aria-label={row.itemName}>
              {[
                { key: DONE, tone: 'good', word: t('maintain.work.done') },
                { key: WRONG, tone: 'bad', word: t('rounds.task.abnormalWord') },
              ].map(({ key, tone, word }) => (
                <button
                  key={key}
                  type="button"
                  className={`x-tone-${tone}`}
                  aria-pressed={result === key}
                  onClick={() => onChange({ result: entry.result === key ? null : key })}
                >
                  {word}
                </button>
              ))}
            </div>
          )}
          {kind === NUMBER && judged !== undefined && (
            <span role="status">
              <ToneTag tone={TONES[judged as 1]}>
                {t('rounds.task.judged', { word: t(RESULT_WORD[judged as 1]) })}
              </ToneTag>
            </span>
          )}
        </div>
      )}
      {item && kind === NUMBER && !out && <LimitScale of={item} small />}
      {(out ||
        result === WRONG ||
        judged === 2 ||
        entry.handling ||
        entry.images.length > 0 ||
        showsPhotos(item)) && (
        <div className="x-walk-foot">
          {!out && <PhotosInput max={9} value={entry.images} onChange={(images) => onChange({ images })} />}
          <Input
            value={entry.handling}
            maxLength={300}
            aria-label={`${row.itemName} ${t(out ? 'maintain.work.reason' : 'maintain.work.handling')}`}
            placeholder={t(out ? 'maintain.work.reason' : 'maintain.work.handlingHint')}
            onChange={(event) => onChange({ handling: event.target.value })}
          />
        </div>
      )}
      {error && (
        <div className="x-walk-error" role="alert">
          {error}
        </div>
      )}
      <div className="x-walk-more">
        {out ? (
          <>
            <StateTag
              dict="maintain_result"
              value={entry.result}
              text={t(entry.result === NOT_DONE ? 'maintain.work.notDone' : 'maintain.work.na')}
            />
            <Button type="text" onClick={() => onChange({ result: null })}>
              {t('maintain.work.undo')}
            </Button>
          </>
        ) : (
          <>
            <Button type="text" onClick={() => onChange({ result: NOT_APPLICABLE })}>
              {t('maintain.work.na')}
            </Button>
            <Button type="text" onClick={() => onChange({ result: NOT_DONE })}>
              {t('maintain.work.notDone')}
            </Button>
          </>
        )}
      </div>
    </li>
  );
}

const showsPhotos = (item: CheckItem | null) =>
  item !== null && (item.needPhoto !== 0 || item.valueType === PHOTO);

/** What was asked for, beside what was found: who checks it compares the two. */
function Asked({ item }: { item: CheckItem }) {
  if (item.valueType === NUMBER) return <LimitScale of={item} small />;
  return item.standardText ? <span className="x-quiet">{item.standardText}</span> : null;
}

/** The items to read: what the standard asks, what came of it, and the work order that was made. */
export function ItemRows({ rows }: { rows: readonly Row[] }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const wordOf = ({ item: given, value, judgeText }: Row): string => {
    const item = given as unknown as CheckItem | null;
    if (item?.valueType === PASS_FAIL) return '';
    if (judgeText) return judgeText;
    const option = item?.options.find((one) => one.value === value);
    if (option) return (language === 'en-US' && option.labelEn) || option.label;
    return [value, value && item?.unit].filter(Boolean).join(' ');
  };
  return (
    <ol className="x-checks">
      {rows.map((row, place) => {
        const item = row.item as unknown as CheckItem | null;
        return (
          <li key={row.id} className="x-check">
            <span className="x-item-name">
              <span className="x-item-no">{place + 1}</span>
              {row.itemName}
              {!item && <ToneTag tone="quiet">{t('maintain.own')}</ToneTag>}
            </span>
            <span>
              {row.result === null ? (
                item && <ItemNorm item={item} />
              ) : (
                <>
                  <StateTag dict="maintain_result" value={row.result} text={row.resultName} /> {wordOf(row)}
                </>
              )}
              {item && (
                <span className="x-marks">
                  {row.result === null ? (
                    <ItemMarks item={{ ...item, required: 1 }} />
                  ) : (
                    <Asked item={item} />
                  )}
                </span>
              )}
            </span>
            <span>
              {row.handling && <div className="x-quiet">{row.handling}</div>}
              {row.repairOrderNo && <Link to={`${REPAIRS}/${row.repairOrderId}`}>{row.repairOrderNo}</Link>}
              {row.images && row.images.length > 0 && <Photos links={row.images} />}
            </span>
          </li>
        );
      })}
    </ol>
  );
}
