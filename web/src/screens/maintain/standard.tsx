/** The form of a maintenance standard: its cycle, who does it and how, its items, the assets it plans, and parts. */
import { Form } from 'antd';
import { inspectconfig } from '@/api/nouns/inspectconfig';
import { useTranslation } from '@/i18n';
import { NounFieldControl } from '@/kit/nounFields';
import { useLabels } from '@/kit/nounText';
import { sourceOf } from '@/kit/references';
import { PlainStandardField, StandardPage } from '@/screens/shared/standards/StandardForm';

const CALENDAR = 1;
const METER = 2;
const FIRST = 3;

const NEW = {
  configType: 2,
  level: 2,
  triggerType: CALENDAR,
  cycleUnit: 3,
  anchor: 2,
  leadHours: 24,
  tolerancePercent: 10,
  estMinutes: 60,
  peopleCount: 1,
  needStop: 1,
  needCheck: 1,
  needSign: 0,
  isSealed: 0,
  machines: [],
  parts: [],
} as const;

export default function MaintenanceStandardPage() {
  const { t } = useTranslation();
  return (
    <StandardPage
      list="/maintain/config"
      title={(isNew) => t(isNew ? 'upkeep.add' : 'upkeep.edit')}
      initial={NEW}
      fields={<HeadFields />}
      more={<Planned />}
      touches={[['maintainorder'], ['inspectmachine']]}
    />
  );
}

function HeadFields() {
  const { t } = useTranslation();
  const label = useLabels(inspectconfig);
  const form = Form.useFormInstance();
  const trigger = Form.useWatch('triggerType', form) ?? CALENDAR;
  return (
    <>
      <PlainStandardField name="configCode" />
      <PlainStandardField name="configName" />
      <PlainStandardField name="typeId" hint={t('upkeep.classHint')} />
      <PlainStandardField name="level" />
      <h2 className="x-group">{t('upkeep.cycleGroup')}</h2>
      <NounFieldControl noun={inspectconfig} name="triggerType" label={label('triggerType')} buttons full />
      {trigger !== METER && (
        <>
          <NounFieldControl noun={inspectconfig} name="cycleValue" label={label('cycleValue')} required />
          <NounFieldControl noun={inspectconfig} name="cycleUnit" label={label('cycleUnit')} required />
        </>
      )}
      {trigger !== CALENDAR && (
        <NounFieldControl
          noun={inspectconfig}
          name="runInterval"
          label={label('runInterval')}
          hint={t('upkeep.intervalHint')}
          required
        />
      )}
      {trigger === FIRST ? (
        <p className="x-quiet x-full">{t('upkeep.firstHint')}</p>
      ) : (
        <NounFieldControl
          noun={inspectconfig}
          name="anchor"
          label={label('anchor')}
          hint={t('upkeep.anchorHint')}
        />
      )}
      {trigger !== METER && <PlainStandardField name="leadDays" hint={t('upkeep.leadHint')} />}
      {trigger !== CALENDAR && <PlainStandardField name="leadHours" hint={t('upkeep.leadHoursHint')} />}
      <PlainStandardField name="tolerancePercent" hint={t('upkeep.toleranceHint')} />
      <h2 className="x-group">{t('upkeep.workGroup')}</h2>
      <PlainStandardField name="teamId" hint={t('upkeep.teamHint')} />
      <NounFieldControl
        noun={inspectconfig}
        name="userIds"
        label={label('userIds')}
        source={sourceOf(inspectconfig, 'userIds')}
      />
      <PlainStandardField name="estMinutes" />
      <PlainStandardField name="peopleCount" />
      <PlainStandardField name="needStop" hint={t('upkeep.stopHint')} />
      <PlainStandardField name="needCheck" />
      <PlainStandardField name="needSign" />
      <PlainStandardField name="isSealed" />
      <PlainStandardField name="safety" hint={t('upkeep.safetyHint')} />
      <PlainStandardField name="tools" />
      <PlainStandardField name="remark" />
    </>
  );
}

function Planned() {
  const { t } = useTranslation();
  return (
    <>
      <PlainStandardField name="machines" />
      <p className="x-quiet x-full">{t('upkeep.machinesHint')}</p>
      <PlainStandardField name="parts" />
    </>
  );
}
