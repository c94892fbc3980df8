/** Rows of people: a kind, and who is meant; used for candidates and for who may start. */
import { DeleteOutlined, PlusOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useTranslation } from '@/i18n';
import { useDesigner } from '../context';
import { useBegun } from './begun';
import { type Picked, useHolding, usePicker } from './catalogue';
import { type Choice, ChoiceEntry, TextEntry } from './controls';
import { faultOf } from './expression';
import { useFault } from './faults';
import {
  hasGap,
  isInDept,
  MOST_LEVELS,
  type Rule,
  type RuleKind,
  rulesOf,
  rulesText,
  STARTER,
} from './rules';

interface PeopleRulesProps {
  text: string;
  kinds: readonly RuleKind[];
  /** Whether a rule may name what the record or the starter holds. */
  mayRead: boolean;
  empty: string;
  /** So many rules at most. */
  most?: number;
  commit: (text: string) => void;
}

export function PeopleRules({ text, kinds, mayRead, empty, most, commit }: PeopleRulesProps) {
  const { t } = useTranslation();
  const { readOnly } = useDesigner();
  const [rules = [], change] = useBegun({ text, read: rulesOf, write: rulesText, commit });
  return (
    <>
      {rules.length === 0 && <p className="x-hint">{empty}</p>}
      {rules.map((rule, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a rule is its place: two may say the same
        <fieldset key={index} className="x-rule">
          <legend className="x-sr">{t('panel.people.rule', { n: index + 1 })}</legend>
          <RuleEditor
            rule={rule}
            kinds={kinds}
            mayRead={mayRead}
            change={(next) => change(rules.map((one, at) => (at === index ? next : one)))}
          />
          {!readOnly && (
            <Button
              type="text"
              icon={<DeleteOutlined />}
              aria-label={t('panel.people.removeRule', { n: index + 1 })}
              onClick={() => change(rules.filter((_, at) => at !== index))}
            />
          )}
        </fieldset>
      ))}
      {!readOnly && (most === undefined || rules.length < most) && (
        <Button
          size="small"
          icon={<PlusOutlined />}
          onClick={() => change([...rules, { kind: kinds[0] ?? 'role', value: '' }])}
        >
          {t('panel.people.addRule')}
        </Button>
      )}
    </>
  );
}

interface RuleEditorProps {
  rule: Rule;
  kinds: readonly RuleKind[];
  mayRead: boolean;
  change: (next: Rule) => void;
}

/** The kind of a rule, and who is meant. */
export function RuleEditor({ rule, kinds, mayRead, change }: RuleEditorProps) {
  const { t } = useTranslation();
  const { kind, value } = rule;
  const offered = kinds.includes(kind) ? kinds : [kind, ...kinds];
  return (
    <div className="x-rule-parts">
      <ChoiceEntry
        label={t('panel.people.kind')}
        value={kind}
        options={offered.map((one) => ({ value: one, label: t(`panel.kind.${one}`) }))}
        commit={(next) => next && change({ kind: next as RuleKind, value: '' })}
      />
      {kind === 'expression' ? (
        <ExpressionEntry value={value} commit={(next) => change({ kind, value: next })} />
      ) : (
        <WhoEntry
          kind={PICKED[kind]}
          value={value}
          mayRead={mayRead}
          beside={kind === 'head' ? [{ value: STARTER, label: t('panel.people.ofStarter') }] : []}
          commit={(next) => change({ ...rule, value: next })}
        />
      )}
      {kind === 'head' && (
        <ChoiceEntry
          label={t('panel.people.levels')}
          value={String(rule.levels ?? 0)}
          options={LEVELS.map((n) => ({
            value: String(n),
            label: n === 0 ? t('panel.people.ownLevel') : t('panel.people.level', { count: n }),
          }))}
          commit={(next) => change({ ...rule, levels: Number(next) || undefined })}
        />
      )}
      {isInDept(kind) && (
        <WhoEntry
          kind="dept"
          value={rule.dept ?? ''}
          mayRead={mayRead}
          commit={(dept) => change({ ...rule, dept })}
        />
      )}
    </div>
  );
}

const PICKED: Readonly<Record<Exclude<RuleKind, 'expression'>, Picked>> = {
  role: 'role',
  roleInDept: 'role',
  post: 'post',
  postInDept: 'post',
  dept: 'dept',
  deptTree: 'dept',
  head: 'dept',
  duty: 'dept',
  team: 'team',
  user: 'user',
};
const LEVELS = Array.from({ length: MOST_LEVELS + 1 }, (_, n) => n);

interface WhoEntryProps {
  kind: Picked;
  value: string;
  mayRead: boolean;
  /** Choices besides. */
  beside?: readonly Choice[];
  commit: (value: string) => void;
}

/** Somebody of a kind, chosen from the company, or a name that holds one. */
export function WhoEntry({ kind, value, mayRead, beside = [], commit }: WhoEntryProps) {
  const { t } = useTranslation();
  const holding = useHolding(kind);
  const picker = usePicker(kind);
  return (
    <ChoiceEntry
      label={t(`panel.kind.${kind}`)}
      value={value || undefined}
      options={[...beside, ...(mayRead ? holding : []), ...picker.options]}
      loading={picker.loading}
      onSearch={picker.onSearch}
      commit={(next) => commit(next ?? '')}
    />
  );
}

function ExpressionEntry({ value, commit }: { value: string; commit: (value: string) => void }) {
  const { t } = useTranslation();
  const say = useFault();
  const check = (text: string) => {
    if (hasGap(text)) return t('panel.people.gap');
    const fault = faultOf(text);
    return fault && say(fault);
  };
  return (
    <TextEntry
      label={t('panel.kind.expression')}
      value={value}
      code
      hint={t('panel.people.expressionHint')}
      check={check}
      commit={commit}
    />
  );
}
