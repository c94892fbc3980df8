/** Parameters: what the company has set, beside what the product would take. */
import { InputNumber, Switch } from 'antd';
import { param } from '@/api/nouns/param';
import type { Wire } from '@/api/wire';
import { useTranslation } from '@/i18n';
import { Field, type FieldProps, SelectField, TextField } from '@/kit/fields';
import { NounPage } from '@/kit/NounPage';
import { useTenantChoice } from '@/screens/shared/tenantChoice';

type Rule = Wire<'ParameterValue'>;

const LONGEST = 200;
const PRIORITIES = 3;

const SPAN = /^(?:[01]\d|2[0-3]):[0-5]\d[-–](?:(?:[01]\d|2[0-3]):[0-5]\d|24:00)$/;

/** Whether these are spans of a day in order; how long they have to be is the server's to say. */
function areHours(text: string): boolean {
  const spans = text.split(/[,\uff0c]/).map((one) => one.trim());
  const ends = spans.flatMap((one) => one.split(/[-–]/));
  return (
    spans.every((one) => SPAN.test(one)) &&
    ends.every((end, at) => at === 0 || (ends[at - 1] ?? '') < end || (at % 2 === 0 && ends[at - 1] === end))
  );
}

const isWhole = (text: string, { least, most }: Rule) =>
  /^\d{1,9}$/.test(text) && Number(text) >= least && Number(text) <= most;

/** A switch, a number with its unit, a choice, hours or a text: what the parameter takes. All of them are texts on the wire. */
export function ValueField({ rule, ...props }: FieldProps & { rule: Rule | undefined }) {
  const { t } = useTranslation();
  switch (rule?.kind) {
    case 'switch':
      return (
        <Field
          {...props}
          kind="choose"
          valuePropName="checked"
          getValueProps={(value) => ({ checked: value === '1' })}
          getValueFromEvent={(checked: boolean) => (checked ? '1' : '0')}
        >
          <Switch />
        </Field>
      );
    case 'whole':
    case 'amount': {
      const { least, most, unit } = rule;
      const outside = t('kit.form.between', { field: props.label, a: least, b: most });
      const fits = (text: string) => text === '' || (Number(text) >= least && Number(text) <= most);
      return (
        <Field
          {...props}
          kind="enter"
          getValueProps={(value) => ({ value: value ? Number(value) : value === '0' ? 0 : undefined })}
          getValueFromEvent={(value: number | null) => (value === null ? '' : String(value))}
          rules={[
            {
              validator: (_, value: string) =>
                fits(value ?? '') ? Promise.resolve() : Promise.reject(new Error(outside)),
            },
          ]}
        >
          <InputNumber
            precision={rule.kind === 'whole' ? 0 : 2}
            suffix={unit || undefined}
            inputMode="decimal"
          />
        </Field>
      );
    }
    case 'byPriority': {
      const { least, most } = rule;
      const wrong = t('system.param.byPriority', { a: least, b: most });
      const fits = (text: string) => {
        const parts = text.split(',');
        return parts.length === PRIORITIES && parts.every((part) => isWhole(part, rule));
      };
      return (
        <TextField
          {...props}
          rules={[
            {
              validator: (_, value: string) =>
                !value || fits(value) ? Promise.resolve() : Promise.reject(new Error(wrong)),
            },
          ]}
        />
      );
    }
    case 'hours': {
      const wrong = t('system.param.hours');
      return (
        <TextField
          {...props}
          max={LONGEST}
          rules={[
            {
              validator: (_, value: string) =>
                !value || areHours(value) ? Promise.resolve() : Promise.reject(new Error(wrong)),
            },
          ]}
        />
      );
    }
    case 'weekdays':
      return (
        <SelectField
          {...props}
          multiple
          joined
          options={rule.choices.map(({ key, name }) => ({ value: key, label: name }))}
        />
      );
    case 'choice':
      return (
        <SelectField
          {...props}
          options={rule.choices.map(({ key, name }) => ({ value: key, label: name }))}
        />
      );
    default:
      return <TextField {...props} max={LONGEST} />;
  }
}

export default function Parameters() {
  const { t } = useTranslation();
  const { tenantId, picker } = useTenantChoice();
  return (
    <NounPage
      key={tenantId}
      noun={param}
      fixed={{ tenantId }}
      actions={() => picker}
      name="title"
      columns={[
        { key: 'title', width: 180 },
        { key: 'paramValueName', width: 170 },
        { key: 'defaultValueName', width: 170 },
        { key: 'description', width: 420 },
        { key: 'paramKey', width: 200, extra: true },
        { key: 'remark', width: 160, extra: true },
      ]}
      card={(row) => ({ title: row.title, meta: [row.paramValueName, row.description] })}
      filters={['paramName', 'paramKey', 'paramValue']}
      form={[
        'paramName',
        'paramNameEn',
        'paramKey',
        {
          key: 'paramValue',
          control: (props, _, row) => (
            <ValueField
              {...props}
              rule={row?.rule as Rule | undefined}
              hint={[row?.description, t('system.param.valueHint')].filter(Boolean).join(' ')}
            />
          ),
        },
        'remark',
      ]}
      removeHint={t('system.param.removeHint')}
      detail={['description', 'defaultValueName']}
    />
  );
}
