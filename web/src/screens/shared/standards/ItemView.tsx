/** Check items to read: what is entered, what is right, and what follows from an abnormal result. */
import { useLanguage, useTranslation } from '@/i18n';
import { labelIn } from '@/kit/nounText';
import { Photos } from '@/kit/Photos';
import { ToneTag } from '@/kit/StateTag';
import { CHOICE, type CheckItem, KEY_ITEM, NUMBER, PASS_FAIL, RECORD_ONLY, REPORT, ROWS } from './items';
import { LimitScale } from './LimitScale';
import './standards.css';

type ChoiceField = 'valueType' | 'method' | 'machineState' | 'needPhoto' | 'abnormalAction' | 'repairUrgency';

/** The word for a choice; the server says it too, but not of what has just been chosen. */
function useWord() {
  const language = useLanguage();
  return (item: CheckItem, field: ChoiceField) => {
    const options = ROWS[field].options as readonly (readonly [number, string, string])[];
    const found = options.find(([key]) => key === item[field]);
    return found ? labelIn(language, [found[1], found[2]]) : '';
  };
}

/** What is entered, and where one looks. */
export function ItemWhat({ item }: { item: CheckItem }) {
  const word = useWord();
  const parts = [word(item, 'valueType'), item.unit, item.part].filter(Boolean);
  return <span className="x-quiet">{parts.join(' · ')}</span>;
}

/** What differs from the usual. */
export function ItemMarks({ item }: { item: CheckItem }) {
  const { t } = useTranslation();
  const word = useWord();
  return (
    <>
      {item.importance === KEY_ITEM && (
        <ToneTag tone="active" grade>
          {t('inspect.item.key')}
        </ToneTag>
      )}
      {item.required === 0 && (
        <ToneTag tone="off" grade>
          {t('inspect.item.optional')}
        </ToneTag>
      )}
      {item.needPhoto !== 0 && (
        <ToneTag tone="quiet" grade>
          {t(item.needPhoto === 1 ? 'inspect.item.photo' : 'inspect.item.photoWhenBad')}
        </ToneTag>
      )}
      {item.abnormalAction === REPORT && (
        <ToneTag tone="bad" grade>
          {t('inspect.item.reports')} · {word(item, 'repairUrgency')}
        </ToneTag>
      )}
      {item.abnormalAction === RECORD_ONLY && item.valueType <= CHOICE && (
        <ToneTag tone="off" grade>
          {t('inspect.item.recordOnly')}
        </ToneTag>
      )}
    </>
  );
}

const TONES = { 1: 'good', 2: 'waiting', 3: 'bad' } as const;

/** What is right: the scale of a number, the options of a choice, the two words, the requirement. */
export function ItemNorm({ item }: { item: CheckItem }) {
  const { t } = useTranslation();
  const language = useLanguage();
  if (item.valueType === NUMBER) {
    const hasLimits = [item.lower, item.warnLower, item.warnUpper, item.upper].some(
      (limit) => limit !== null,
    );
    return hasLimits ? <LimitScale of={item} small /> : <span className="x-quiet">{item.standardText}</span>;
  }
  if (item.valueType === CHOICE) {
    return (
      <span className="x-check-options">
        {item.options.map((option) => (
          <ToneTag key={option.label} tone={TONES[option.result as 1 | 2 | 3]} grade>
            {(language === 'en-US' && option.labelEn) || option.label}
          </ToneTag>
        ))}
      </span>
    );
  }
  const words =
    item.valueType === PASS_FAIL
      ? `${item.okLabel || t('inspect.result.normal')} / ${item.badLabel || t('inspect.result.abnormal')}`
      : '';
  return <span className="x-quiet">{item.standardText || words}</span>;
}

/** Items one below the other, to read and to print. */
export function ItemList({ items }: { items: readonly CheckItem[] }) {
  const word = useWord();
  return (
    <ol className="x-checks">
      {items.map((item, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two standards of a point may hold the same item
        <li key={place} className="x-check">
          <span className="x-item-name">
            <span className="x-item-no">{place + 1}</span>
            {item.itemName}
          </span>
          <span>
            <ItemWhat item={item} />
            <span className="x-quiet">
              {' · '}
              {word(item, 'method')}
              {item.machineState !== 3 && ` · ${word(item, 'machineState')}`}
            </span>
            <span className="x-marks">
              <ItemMarks item={item} />
            </span>
          </span>
          <span>
            <ItemNorm item={item} />
            {item.valueType !== 4 &&
              item.standardText &&
              item.valueType <= CHOICE &&
              item.valueType !== PASS_FAIL && <span className="x-quiet">{item.standardText}</span>}
            {item.tips && <span className="x-quiet"> {item.tips}</span>}
            {item.tipImages.length > 0 && <Photos links={item.tipImages} />}
          </span>
        </li>
      ))}
    </ol>
  );
}
