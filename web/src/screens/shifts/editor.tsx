/** A shift plan as it is edited: what it is, its shifts and teams, and the rotation as a grid that follows what is typed. */
import { DeleteOutlined, PlusOutlined } from '@ant-design/icons';
import { useQuery } from '@tanstack/react-query';
import { Alert, Button, ColorPicker, Form, Input, TimePicker } from 'antd';
import dayjs, { type Dayjs } from 'dayjs';
import { useEffect, useMemo } from 'react';
import { useNavigate, useParams } from 'react-router';
import { api } from '@/api/client';
import { submitRow } from '@/api/nounCalls';
import { configinfo } from '@/api/nouns/configinfo';
import type { Wire } from '@/api/wire';
import { useLanguage, useTranslation } from '@/i18n';
import { useContentTitle } from '@/kit/contentTitle';
import { FormPage } from '@/kit/FormPage';
import {
  DateField,
  DictField,
  Field,
  type FieldProps,
  NumberField,
  SwitchField,
  TextAreaField,
  TextField,
} from '@/kit/fields';
import { FieldGroup, useRecordForm } from '@/kit/form';
import { useDuration } from '@/kit/Minutes';
import { ReferenceField, TreeReferenceField } from '@/kit/NounPage';
import { useLabels } from '@/kit/nounText';
import { ToneTag } from '@/kit/StateTag';
import { ErrorState, PageSkeleton } from '@/kit/states';
import { PLANS } from './plan.page';
import { RotationGrid } from './RotationGrid';
import {
  BUILT_IN,
  CUSTOM,
  colorOf,
  crossesMidnight,
  DAY_ONLY,
  isInside,
  minutesBetween,
  overlapping,
  rotationOf,
  type ShiftTimes,
  shortRests,
  uncovered,
  usualShifts,
  workedMinutes,
} from './rotation';
import './shifts.css';

type Detail = Wire<'PlanDetail'>;
interface TeamRow {
  teamId?: string;
  teamName?: string;
  leaderId?: string;
  userIds?: string;
  repair?: number;
}
interface ShiftRow extends ShiftTimes {
  shiftId?: string;
}
interface Values {
  patternType?: number;
  cycleDays?: number;
  status?: number;
  shifts?: ShiftRow[];
  teams?: TeamRow[];
  matrix?: number[][];
  effectiveDate?: string | null;
}

const ENABLED = 2;
const USERS = { ref: '/blade-user/select' };
const CLOCK = 'HH:mm';

/** A time of day; the form's value is `HH:mm`. */
function ClockField(props: FieldProps & { rules?: Parameters<typeof Field>[0]['rules'] }) {
  return (
    <Field
      {...props}
      kind="choose"
      getValueProps={(text?: string) => ({ value: text ? dayjs(`2000-01-01 ${text}`) : undefined })}
      getValueFromEvent={(value: Dayjs | null) => value?.format(CLOCK) ?? null}
    >
      <TimePicker format={CLOCK} needConfirm={false} minuteStep={5} disabled={props.disabled} />
    </Field>
  );
}

export default function PlanEditor() {
  const { id = '' } = useParams();
  const isNew = id === 'new';
  const { data, error, refetch } = useQuery({
    queryKey: [configinfo.name, 'detail', id],
    queryFn: ({ signal }) => api.get('/yuzhu-equip/configinfo/detail', { id }, signal),
    enabled: !isNew,
    // What is edited does not change under the hands of whoever edits it.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  if (error && !data) return <ErrorState error={error} retry={refetch} />;
  if (!isNew && !data) return <PageSkeleton rows={10} />;
  return <Editor key={id} plan={data} />;
}

function Editor({ plan }: { plan: Detail | undefined }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const label = useLabels(configinfo);
  const wasEnabled = plan?.status === ENABLED;
  const initial = useMemo((): Partial<Values> & Record<string, unknown> => {
    if (!plan) {
      const startDate = dayjs().add(1, 'day').format('YYYY-MM-DD');
      return { status: 1, workdayMode: 1, cycleDays: 8, startDate, shifts: [], teams: [], matrix: [] };
    }
    const effectiveDate = wasEnabled ? dayjs().add(1, 'day').format('YYYY-MM-DD') : null;
    const { shifts, teams, ...rest } = plan;
    return {
      ...rest,
      shifts: shifts?.map(({ shiftId, shiftNo, shiftName, startTime, endTime, breaks, color }) => ({
        shiftId: shiftId ?? undefined,
        shiftNo,
        shiftName,
        startTime,
        endTime,
        breaks,
        color,
      })),
      teams: teams?.map(({ teamId, teamName, leaderId, userIds, repair }) => ({
        teamId: teamId ?? undefined,
        teamName,
        leaderId,
        userIds,
        repair,
      })),
      effectiveDate,
    };
  }, [plan, wasEnabled]);

  const handle = useRecordForm<Values, unknown>({
    initial: initial as Partial<Values>,
    submit: (values) => {
      const { shifts = [], teams = [], ...rest } = values;
      const matrix = rotationOf(rest.patternType, teams.length, rest.cycleDays ?? 1, rest.matrix ?? []);
      return submitRow(configinfo, {
        ...rest,
        ...(plan && { id: plan.id, lockVersion: plan.lockVersion }),
        shifts: shifts.map((shift, place) => ({ ...shift, shiftNo: place + 1 })),
        teams,
        matrix,
      });
    },
    invalidates: [[configinfo.name]],
    success: t('shifts.form.saved'),
    draft: { name: `configinfo.${plan?.id ?? 'new'}`, version: plan?.lockVersion },
    onDone: (answer) => navigate(`${PLANS}/${(answer as { id: string }).id}`, { replace: true }),
  });
  const title = t(plan ? 'shifts.edit' : 'shifts.add');
  useContentTitle(plan ? `${title} ${plan.configName}` : title);
  const pattern = Form.useWatch('patternType', handle.form);

  return (
    <FormPage
      title={title}
      handle={handle}
      submitText={t('kit.save')}
      onCancel={() => handle.leave(() => navigate(plan ? `${PLANS}/${plan.id}` : PLANS))}
    >
      <FieldGroup title={t('shifts.form.basics')} />
      <TextField name="configName" label={label('configName')} required max={60} />
      <TextField name="configCode" label={label('configCode')} required max={40} />
      <TreeReferenceField name="deptId" label={label('deptId')} required path="/blade-system/dept/tree" />
      <DictField name="patternType" label={label('patternType')} required dict="shift_pattern" />
      <DateField name="startDate" label={label('startDate')} required />
      <DateField name="endDate" label={label('endDate')} hint={t('shifts.form.endHint')} />
      <DictField name="workdayMode" label={label('workdayMode')} required dict="workday_mode" />
      <DateField name="anchorDate" label={label('anchorDate')} hint={t('shifts.form.anchorHint')} />
      {pattern === CUSTOM && (
        <NumberField name="cycleDays" label={label('cycleDays')} required min={1} max={56} />
      )}
      <DictField
        name="status"
        label={label('status')}
        required
        buttons
        dict="config_status"
        only={plan && plan.status !== 1 ? [2, 3] : undefined}
      />
      <TextAreaField name="remark" label={label('remark')} max={255} rows={2} />
      <Fitting isNew={!plan} />
      {wasEnabled && (
        <>
          <FieldGroup title={t('shifts.form.effect')} />
          <DateField
            name="effectiveDate"
            label={label('effectiveDate')}
            hint={t('shifts.form.effectiveHint')}
            full
          />
        </>
      )}
      <ShiftRows />
      <TeamRows />
      <FieldGroup title={t('shifts.form.rotation')} />
      <Form.Item name="matrix" noStyle>
        <Turns />
      </Form.Item>
    </FormPage>
  );
}

/** A new plan begins with the shifts and as many teams as its pattern needs; what was typed already stays. */
function Fitting({ isNew }: { isNew: boolean }) {
  const { t } = useTranslation();
  const form = Form.useFormInstance<Values>();
  const pattern = Form.useWatch('patternType', form);
  useEffect(() => {
    if (!isNew || pattern === undefined || pattern === null || !form.isFieldTouched('patternType')) return;
    const names = {
      night: t('shifts.names.night'),
      early: t('shifts.names.early'),
      late: t('shifts.names.late'),
      day: t('shifts.names.day'),
    };
    const needed = pattern === DAY_ONLY ? 1 : (BUILT_IN[pattern]?.offsets.length ?? 0);
    const shifts = usualShifts(pattern, names);
    if (shifts.length > 0) form.setFieldValue('shifts', shifts);
    if (needed > 0) {
      const before = form.getFieldValue('teams') as TeamRow[] | undefined;
      const letters = [...t('shifts.names.team')];
      const teams = Array.from({ length: needed }, (_, place) => ({
        repair: 0,
        teamName: pattern === DAY_ONLY ? t('shifts.names.office') : letters[place],
        ...before?.[place],
      }));
      form.setFieldValue('teams', teams);
    }
  }, [isNew, pattern, form, t]);
  if (!pattern || pattern === CUSTOM) return null;
  return <Needs pattern={pattern} />;
}

function Needs({ pattern }: { pattern: number }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const option = configinfo.fields.patternType.options.find(([key]) => key === pattern);
  const name = option?.[language === 'en-US' ? 2 : 1] ?? '';
  const builtIn = BUILT_IN[pattern];
  return (
    <p className="x-full x-hint">
      {builtIn
        ? t('shifts.form.needs', { pattern: name, shifts: builtIn.shifts, teams: builtIn.offsets.length })
        : t('shifts.form.needsDay', { pattern: name })}
    </p>
  );
}

function ShiftRows() {
  const { t } = useTranslation();
  return (
    <>
      <FieldGroup title={t('shifts.form.shifts')} />
      <div className="x-full">
        <Form.List name="shifts" rules={[{ validator: useOverlapRule() }]}>
          {(rows, { add, remove }, { errors }) => (
            <>
              {rows.map(({ key, name: place }) => (
                <ShiftRowFields key={key} place={place} onRemove={() => remove(place)} />
              ))}
              <Form.ErrorList errors={errors} />
              <Button
                icon={<PlusOutlined />}
                disabled={rows.length >= 8}
                onClick={() => add({ breaks: [], color: colorOf(rows.length + 1) })}
              >
                {t('shifts.form.addShift')}
              </Button>
            </>
          )}
        </Form.List>
      </div>
    </>
  );
}

function useOverlapRule() {
  const { t } = useTranslation();
  return async (_: unknown, shifts?: ShiftRow[]) => {
    const found = overlapping(shifts ?? []);
    if (found) {
      const [a, b] = found.map(({ shiftName }) => shiftName ?? '');
      throw new Error(t('shifts.form.overlap', { a, b }));
    }
  };
}

function ShiftRowFields({ place, onRemove }: { place: number; onRemove: () => void }) {
  const { t } = useTranslation();
  const form = Form.useFormInstance<Values>();
  const shift = Form.useWatch(['shifts', place], form) as ShiftRow | undefined;
  const minutes = shift && workedMinutes(shift);
  const duration = useDuration();
  const lengthRule = {
    validator: async () => {
      const { startTime, endTime } = shift ?? {};
      if (startTime && endTime && minutesBetween(startTime, endTime) < 30)
        throw new Error(t('shifts.form.length'));
    },
  };
  return (
    <div className="x-shift-row">
      <Form.Item name={[place, 'shiftId']} hidden>
        <Input />
      </Form.Item>
      <span className="x-shift-no">{place + 1}</span>
      <TextField
        name="shiftName"
        at={[place, 'shiftName']}
        label={t('shifts.month.shift')}
        required
        max={20}
      />
      <ClockField
        name="startTime"
        at={[place, 'startTime']}
        label={t('shifts.form.fields.startTime')}
        required
      />
      <ClockField
        name="endTime"
        at={[place, 'endTime']}
        label={t('shifts.form.fields.endTime')}
        required
        rules={[lengthRule]}
        hint={[
          shift && crossesMidnight(shift) && t('shifts.form.nextDay'),
          minutes !== undefined && t('shifts.form.minutes', { text: duration(minutes) }),
        ]
          .filter(Boolean)
          .join(' · ')}
      />
      <Form.Item
        name={[place, 'color']}
        label={t('shifts.form.fields.color')}
        getValueFromEvent={(color: { toHexString: () => string }) => color.toHexString().slice(0, 7)}
        getValueProps={(value?: string) => ({ value: value || colorOf(place + 1) })}
      >
        <ColorPicker disabledAlpha format="hex" />
      </Form.Item>
      <div className="x-shift-breaks">
        <div className="x-shift-label">{t('shifts.form.breaks')}</div>
        <Form.List name={[place, 'breaks']}>
          {(breaks, { add, remove }) => (
            <>
              {breaks.map(({ key, name }) => (
                <div key={key} className="x-break-row">
                  <BreakClock place={place} at={name} which="start" />
                  <span>–</span>
                  <BreakClock place={place} at={name} which="end" />
                  <Button
                    type="text"
                    icon={<DeleteOutlined />}
                    aria-label={t('shifts.form.removeBreak', { n: name + 1 })}
                    onClick={() => remove(name)}
                  />
                </div>
              ))}
              <Button size="small" type="dashed" disabled={breaks.length >= 6} onClick={() => add({})}>
                {t('shifts.form.addBreak')}
              </Button>
            </>
          )}
        </Form.List>
      </div>
      <Button
        type="text"
        icon={<DeleteOutlined />}
        aria-label={t('shifts.form.removeShift', { n: place + 1 })}
        onClick={onRemove}
      />
    </div>
  );
}

function BreakClock({ place, at, which }: { place: number; at: number; which: 'start' | 'end' }) {
  const { t } = useTranslation();
  const form = Form.useFormInstance<Values>();
  const text = t(which === 'start' ? 'shifts.form.breakFrom' : 'shifts.form.breakTo');
  const rule = {
    validator: async () => {
      const shift = (form.getFieldValue('shifts') as ShiftRow[] | undefined)?.[place];
      const { start, end } = shift?.breaks?.[at] ?? {};
      if (shift && start && end && !isInside(shift, start, end))
        throw new Error(t('shifts.form.breakInside'));
    },
  };
  return (
    <Form.Item
      name={[at, which]}
      rules={[
        { required: true, message: t('kit.form.choose', { field: text }) },
        ...(which === 'end' ? [rule] : []),
      ]}
      getValueProps={(value?: string) => ({ value: value ? dayjs(`2000-01-01 ${value}`) : undefined })}
      getValueFromEvent={(value: Dayjs | null) => value?.format(CLOCK) ?? null}
    >
      <TimePicker format={CLOCK} needConfirm={false} minuteStep={5} aria-label={text} />
    </Form.Item>
  );
}

function TeamRows() {
  const { t } = useTranslation();
  return (
    <>
      <FieldGroup title={t('shifts.form.teams')} />
      <div className="x-full">
        <Form.List name="teams">
          {(rows, { add, remove }, { errors }) => (
            <>
              {rows.map(({ key, name: place }) => (
                <div key={key} className="x-team-row">
                  <Form.Item name={[place, 'teamId']} hidden>
                    <Input />
                  </Form.Item>
                  <span className="x-shift-no">{place + 1}</span>
                  <TextField
                    name="teamName"
                    at={[place, 'teamName']}
                    label={t('shifts.form.fields.teamName')}
                    required
                    max={30}
                  />
                  <ReferenceField
                    name="leaderId"
                    at={[place, 'leaderId']}
                    label={t('shifts.form.fields.leader')}
                    required
                    source={USERS}
                  />
                  <ReferenceField
                    name="userIds"
                    at={[place, 'userIds']}
                    label={t('shifts.form.fields.members')}
                    required
                    multiple
                    source={USERS}
                  />
                  <SwitchField name="repair" at={[place, 'repair']} label={t('shifts.form.fields.repair')} />
                  <Button
                    type="text"
                    icon={<DeleteOutlined />}
                    aria-label={t('shifts.form.removeTeam', { n: place + 1 })}
                    onClick={() => remove(place)}
                  />
                </div>
              ))}
              <Form.ErrorList errors={errors} />
              <Button icon={<PlusOutlined />} disabled={rows.length >= 16} onClick={() => add({ repair: 0 })}>
                {t('shifts.form.addTeam')}
              </Button>
            </>
          )}
        </Form.List>
      </div>
    </>
  );
}

/** The grid with its warnings; the form's value is an own rotation. */
function Turns({ value = [], onChange }: { value?: number[][]; onChange?: (value: number[][]) => void }) {
  const { t } = useTranslation();
  const form = Form.useFormInstance<Values>();
  const pattern = Form.useWatch('patternType', form);
  const days = Form.useWatch('cycleDays', form) ?? 1;
  const teams = Form.useWatch('teams', form) ?? [];
  const shifts = (Form.useWatch('shifts', form) ?? []).map((shift, place) => ({
    ...shift,
    shiftNo: place + 1,
  }));
  if (teams.length === 0 || shifts.length === 0 || !pattern) {
    return <p className="x-full x-hint">{t('shifts.form.gridEmpty')}</p>;
  }
  const rotation = rotationOf(pattern, teams.length, days, value);
  const isOwn = pattern === CUSTOM;
  const name = (number: number) => shifts[number - 1]?.shiftName ?? String(number);
  const warnings = [
    ...uncovered(
      rotation,
      shifts.map(({ shiftNo }) => shiftNo),
    ).map(({ day, number }) => t('shifts.form.uncovered', { n: day, shift: name(number) })),
    ...rotation.flatMap((row, team) =>
      shortRests(row, shifts).map((day) =>
        t('shifts.form.shortRest', { team: teams[team]?.teamName ?? '', n: day }),
      ),
    ),
  ];
  return (
    <div className="x-full">
      <p className="x-hint">{t(isOwn ? 'shifts.form.own' : 'shifts.form.builtIn')}</p>
      <RotationGrid
        rotation={rotation}
        teams={teams.map(({ teamName = '' }) => teamName)}
        shifts={shifts}
        onChange={isOwn ? onChange : undefined}
      />
      {warnings.length > 0 ? (
        <Alert
          className="x-rotation-note"
          type="warning"
          showIcon
          title={warnings.slice(0, 6).map((warning) => <div key={warning}>{warning}</div>)}
        />
      ) : (
        <p className="x-rotation-note">
          <ToneTag tone="good">{t('shifts.form.covered')}</ToneTag>
        </p>
      )}
    </div>
  );
}
