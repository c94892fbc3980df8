/** What a component of a form says: its texts in both languages, its key, what may be entered. */
import { Alert, Checkbox } from 'antd';
import { useTranslation } from '@/i18n';
import { type Component, MAX_FILES, MAX_ROWS } from '../../forms/schema';
import { useDesigner } from '../context';
import { ChoiceEntry, NumberEntry, TextEntry } from '../panel/controls';
import { DefaultEntry } from './DefaultEntry';
import { Options } from './Options';
import { type FormProblem, problemsOf } from './Sheet';
import {
  cleaned,
  type Drawn,
  hasDefault,
  hasKey,
  hasOptions,
  type PartProps,
  replaced,
  type Type,
} from './tree';

interface PropertiesProps {
  component: Drawn | undefined;
  /** Of a table. */
  isColumn: boolean;
  problems: readonly FormProblem[];
  /** Makes one step of what `next` gives for the components as they stand. */
  change: (next: (components: readonly Component[]) => readonly Component[]) => void;
  choose: (id: string) => void;
}

export function Properties({ component, isColumn, problems, change }: PropertiesProps) {
  const { t } = useTranslation();
  if (!component) return <p className="x-hint">{t('panel.form.nothing')}</p>;
  const put = (next: Drawn) => change((components) => replaced(components, next));
  return (
    <>
      <h3>{t(`panel.component.${component.type as Type}`)}</h3>
      {problemsOf(component, problems).map(({ message }) => (
        <Alert key={message} type="error" showIcon title={message} />
      ))}
      <Texts component={component} put={put} />
      {hasKey(component.type) && <Entering component={component} isColumn={isColumn} put={put} />}
      {component.type === 'spacer' && (
        <NumberEntry
          label={t('panel.form.height')}
          value={component.height}
          min={0}
          max={500}
          whole
          commit={(height) => put(cleaned({ ...component, height }))}
        />
      )}
    </>
  );
}

interface PairProps extends PartProps {
  name: 'label' | 'description' | 'text';
  max: number;
  rows?: number;
}

/** A text in both languages. */
function Pair({ component, put, name, max, rows }: PairProps) {
  const { t } = useTranslation();
  const note = `${name}En`;
  const english = component.properties?.[note] ?? '';
  // The word with which a new component began would be wrong for what it has become.
  const begun = [`panel.component.${component.type as Type}` as const, 'panel.form.column' as const];
  const isBegun = begun.some((key) => english === t(key, { lng: 'en-US' }));
  const properties = isBegun ? { ...component.properties, [note]: '' } : component.properties;
  return (
    <>
      <TextEntry
        label={t(`panel.form.${name}`)}
        value={component[name] ?? ''}
        max={max}
        rows={rows}
        commit={(text) => put(cleaned({ ...component, [name]: text, properties }))}
      />
      <TextEntry
        label={t(`panel.form.${name}En`)}
        value={english}
        max={500}
        rows={rows}
        commit={(text) =>
          put(cleaned({ ...component, properties: { ...component.properties, [note]: text } }))
        }
      />
    </>
  );
}

function Texts(props: PartProps) {
  const { type } = props.component;
  if (type === 'separator' || type === 'spacer') return null;
  if (type === 'text') return <Pair {...props} name="text" max={2000} rows={3} />;
  return (
    <>
      <Pair {...props} name="label" max={80} />
      {type !== 'group' && <Pair {...props} name="description" max={500} rows={2} />}
    </>
  );
}

function Entering({ component, isColumn, put }: PartProps & { isColumn: boolean }) {
  const { t } = useTranslation();
  const { type, validate } = component;
  return (
    <>
      <TextEntry
        label={t('panel.form.key')}
        value={component.key ?? ''}
        code
        max={40}
        hint={isColumn ? undefined : t('panel.form.keyHint', { name: `form.${component.key ?? ''}` })}
        commit={(key) => put({ ...component, key })}
      />
      <Flag
        label={t('panel.form.required')}
        value={validate?.required}
        commit={(required) => put(cleaned({ ...component, validate: { ...validate, required } }))}
      />
      {!isColumn && (
        <Flag
          label={t('panel.form.readonly')}
          value={component.readonly}
          commit={(readonly) => put(cleaned({ ...component, readonly }))}
        />
      )}
      {hasOptions(type) && <Options component={component} put={put} />}
      {type === 'datetime' && <Moments component={component} put={put} />}
      {type === 'number' && <Numbers component={component} put={put} />}
      {(type === 'textfield' || type === 'textarea') && <Lengths component={component} put={put} />}
      {type === 'textfield' && <Patterns component={component} put={put} />}
      {(type === 'textfield' || type === 'number') && <Adorners component={component} put={put} />}
      {type === 'filepicker' && <FilesProperties component={component} put={put} />}
      {type === 'xw-table' && <Counts component={component} put={put} of="rows" most={MAX_ROWS} />}
      {hasDefault(type) && <DefaultEntry component={component} put={put} />}
    </>
  );
}

interface FlagProps {
  label: string;
  value: boolean | undefined;
  commit: (value: boolean) => void;
}

function Flag({ label, value, commit }: FlagProps) {
  const { readOnly } = useDesigner();
  return (
    <div className="x-entry">
      <Checkbox
        checked={Boolean(value)}
        disabled={readOnly}
        onChange={(event) => commit(event.target.checked)}
      >
        {label}
      </Checkbox>
    </div>
  );
}

function FilesProperties({ component, put }: PartProps) {
  const { t } = useTranslation();
  const { multiple, accept, validate } = component;
  return (
    <>
      <Flag
        label={t('panel.form.pictures')}
        value={accept === 'image/*'}
        commit={(pictures) => put(cleaned({ ...component, accept: pictures ? 'image/*' : undefined }))}
      />
      <Flag
        label={t('panel.form.multiple')}
        value={multiple}
        commit={(next) =>
          // A single file has no numbers.
          put(
            cleaned({
              ...component,
              multiple: next,
              validate: { ...validate, minItems: undefined, maxItems: undefined },
            }),
          )
        }
      />
      {multiple && <Counts component={component} put={put} of="files" most={MAX_FILES} />}
    </>
  );
}

interface CountsProps extends PartProps {
  of: 'files' | 'rows';
  most: number;
}

/** Fewest and most files or rows. */
function Counts({ component, put, of, most }: CountsProps) {
  const { t } = useTranslation();
  const { validate } = component;
  const set = (rule: object) => put(cleaned({ ...component, validate: { ...validate, ...rule } }));
  return (
    <div className="x-parts">
      <NumberEntry
        label={t(`panel.form.counts.${of}.min`)}
        value={validate?.minItems}
        min={1}
        max={most}
        whole
        commit={(minItems) => set({ minItems })}
      />
      <NumberEntry
        label={t(`panel.form.counts.${of}.max`)}
        value={validate?.maxItems}
        min={1}
        max={most}
        whole
        commit={(maxItems) => set({ maxItems })}
      />
    </div>
  );
}

function Lengths({ component, put }: PartProps) {
  const { t } = useTranslation();
  const { validate, type } = component;
  const most = type === 'textarea' ? 2000 : 200;
  const set = (rule: object) => put(cleaned({ ...component, validate: { ...validate, ...rule } }));
  return (
    <div className="x-parts">
      <NumberEntry
        label={t('panel.form.minLength')}
        value={validate?.minLength}
        min={0}
        max={most}
        whole
        commit={(minLength) => set({ minLength })}
      />
      <NumberEntry
        label={t('panel.form.maxLength')}
        value={validate?.maxLength}
        min={1}
        max={most}
        whole
        commit={(maxLength) => set({ maxLength })}
      />
    </div>
  );
}

const SHAPES = ['email', 'phone'] as const;

function Patterns({ component, put }: PartProps) {
  const { t } = useTranslation();
  const { validate, properties } = component;
  const set = (rule: object) => put(cleaned({ ...component, validate: { ...validate, ...rule } }));
  return (
    <>
      <ChoiceEntry
        label={t('panel.form.shape')}
        value={SHAPES.find((shape) => shape === validate?.validationType)}
        clearable
        options={SHAPES.map((value) => ({ value, label: t(`panel.form.shapes.${value}`) }))}
        commit={(validationType) => set({ validationType })}
      />
      <TextEntry
        label={t('panel.form.pattern')}
        value={validate?.pattern ?? ''}
        code
        max={200}
        hint={t('panel.form.patternHint')}
        commit={(pattern) => set({ pattern })}
      />
      {validate?.pattern && (
        <>
          <TextEntry
            label={t('panel.form.patternMessage')}
            value={validate.patternErrorMessage ?? ''}
            max={100}
            commit={(patternErrorMessage) => set({ patternErrorMessage })}
          />
          <TextEntry
            label={t('panel.form.patternMessageEn')}
            value={properties?.patternErrorMessageEn ?? ''}
            max={100}
            commit={(text) =>
              put(cleaned({ ...component, properties: { ...properties, patternErrorMessageEn: text } }))
            }
          />
        </>
      )}
    </>
  );
}

function Numbers({ component, put }: PartProps) {
  const { t } = useTranslation();
  const { validate } = component;
  const set = (rule: object) => put(cleaned({ ...component, validate: { ...validate, ...rule } }));
  return (
    <div className="x-parts">
      <NumberEntry label={t('panel.form.min')} value={validate?.min} commit={(min) => set({ min })} />
      <NumberEntry label={t('panel.form.max')} value={validate?.max} commit={(max) => set({ max })} />
      <NumberEntry
        label={t('panel.form.decimals')}
        value={component.decimalDigits}
        min={0}
        max={6}
        whole
        commit={(decimalDigits) => put(cleaned({ ...component, decimalDigits }))}
      />
      <NumberEntry
        label={t('panel.form.step')}
        value={component.increment}
        min={0.000001}
        commit={(increment) => put(cleaned({ ...component, increment }))}
      />
    </div>
  );
}

function Adorners({ component, put }: PartProps) {
  const { t } = useTranslation();
  const { appearance } = component;
  const set = (part: object) => put(cleaned({ ...component, appearance: { ...appearance, ...part } }));
  return (
    <div className="x-parts">
      <TextEntry
        label={t('panel.form.prefix')}
        value={appearance?.prefixAdorner ?? ''}
        max={20}
        commit={(prefixAdorner) => set({ prefixAdorner })}
      />
      <TextEntry
        label={t('panel.form.suffix')}
        value={appearance?.suffixAdorner ?? ''}
        max={20}
        commit={(suffixAdorner) => set({ suffixAdorner })}
      />
    </div>
  );
}

const SUBTYPES = ['date', 'time', 'datetime'] as const;

function Moments({ component, put }: PartProps) {
  const { t } = useTranslation();
  return (
    <>
      <ChoiceEntry
        label={t('panel.form.subtype')}
        value={component.subtype}
        options={SUBTYPES.map((value) => ({ value, label: t(`panel.form.subtypes.${value}`) }))}
        commit={(subtype) =>
          // What was proposed in another shape means nothing in this one.
          put(cleaned({ ...component, subtype: subtype as Drawn['subtype'], defaultValue: undefined }))
        }
      />
      {component.subtype !== 'time' && (
        <Flag
          label={t('panel.form.notPast')}
          value={component.disallowPassedDates}
          commit={(disallowPassedDates) => put(cleaned({ ...component, disallowPassedDates }))}
        />
      )}
    </>
  );
}
