/** The sign-in page: tenant, account, password, picture captcha; every refusal is told in place. */

import { useQuery } from '@tanstack/react-query';
import { Alert, AutoComplete, Button, Form, Input, type InputRef } from 'antd';
import { useRef, useState } from 'react';
import { Navigate, useLocation } from 'react-router';
import { ApiError, api } from '@/api/client';
import type { Wire } from '@/api/wire';
import { useLanguage, useTranslation } from '@/i18n';
import { ErrorLine } from '@/kit/states';
import { useAction } from '@/kit/useAction';
import { inSentence } from '@/lib/sentence';
import { useSession, wasEnded } from '@/session/session';
import { signIn } from '@/session/sign';
import { site } from '@/site';
import { LanguageSwitch } from './LanguageSwitch';
import { Slider } from './Slider';
import { useTitle } from './useTitle';

const LAST = 'xunwei.last';
const STEPS = ['report', 'dispatch', 'accept', 'repair', 'check'] as const;

interface Fields {
  tenantId: string;
  account: string;
  password: string;
  code?: string;
}

/** Tenant and account of the last sign-in on this device. */
function lastUsed(): Partial<Fields> {
  try {
    return JSON.parse(localStorage.getItem(LAST) ?? '{}') as Partial<Fields>;
  } catch {
    return {};
  }
}

export default function Login() {
  const { t } = useTranslation();
  const language = useLanguage();
  const session = useSession();
  const { state } = useLocation() as { state: { from?: string } | null };
  useTitle(t('app.signIn.title'));
  if (session) return <Navigate to={state?.from ?? '/'} replace />;
  return (
    <main className="x-login">
      <section className="x-login-brand">
        <div className="x-login-name">
          <img src="/favicon.svg" alt="" width={44} height={44} />
          <h1>{site.product[language]}</h1>
        </div>
        <p className="x-login-promise">{t('app.signIn.promise')}</p>
        <figure className="x-login-story">
          <figcaption>{t('app.signIn.story')}</figcaption>
          <ol>
            {STEPS.map((step) => (
              <li key={step}>
                <strong>{t(`app.signIn.steps.${step}`)}</strong>
                <span>{t(`app.signIn.hints.${step}`)}</span>
              </li>
            ))}
          </ol>
        </figure>
      </section>
      <section className="x-login-side">
        <div className="x-login-language">
          <LanguageSwitch />
        </div>
        <SignInForm />
      </section>
    </main>
  );
}

function SignInForm() {
  const { t } = useTranslation();
  const [form] = Form.useForm<Fields>();
  const [last] = useState(lastUsed);
  const code = useRef<InputRef>(null);
  const info = useQuery({
    queryKey: ['site'],
    queryFn: ({ signal }) => api.open('/xunwei/site', undefined, signal),
    staleTime: 60_000,
  });
  const asksCode = site.captchaMode && info.data?.captchaMode !== 'off';
  const slides = asksCode && info.data?.captchaMode === 'slider';
  const [x, setX] = useState<number>();
  const slider = useQuery({
    queryKey: ['sliderCaptcha'],
    queryFn: async ({ signal }) => {
      setX(undefined);
      return api.open('/blade-auth/oauth/sliderCaptcha', undefined, signal);
    },
    enabled: slides && info.isFetched,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnReconnect: false,
  });
  const captcha = useQuery({
    queryKey: ['captcha'],
    queryFn: ({ signal }) => api.open('/blade-auth/oauth/captcha', undefined, signal),
    enabled: asksCode && !slides && info.isFetched,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnReconnect: false,
  });

  const action = useAction<Fields>({
    run: async ({ tenantId, account, password, code: typed = '' }) => {
      try {
        if (slides && x === undefined) throw new ApiError(400, t('app.signIn.sliderFirst'));
        const proof = slides
          ? { kind: 'slider_captcha' as const, key: slider.data?.key ?? '', code: String(x) }
          : { kind: 'captcha' as const, key: captcha.data?.key ?? '', code: typed.trim() };
        await signIn({
          tenantId: tenantId.trim(),
          account: account.trim(),
          password,
          captcha: asksCode ? proof : undefined,
        });
      } catch (refusal) {
        if (asksCode) {
          // A captcha counts once, right or wrong.
          if (slides) slider.refetch();
          else captcha.refetch();
          form.resetFields(['code']);
          code.current?.focus();
        }
        throw refusal;
      }
      localStorage.setItem(LAST, JSON.stringify({ tenantId: tenantId.trim(), account: account.trim() }));
    },
  });

  const tenants = info.data?.tenants ?? [];
  const only = tenants.length === 1 ? tenants[0]?.tenantId : undefined;
  const required = (field: string) => [
    { required: true, whitespace: true, message: t('kit.form.enter', { field: inSentence(field) }) },
  ];
  const text = { tenant: t('app.signIn.tenant'), account: t('app.signIn.account') };
  const password = t('app.signIn.password');
  const codeLabel = t('app.signIn.captcha');
  // The form waits for the site's answer, since the first tenant offered is its initial value.
  if (info.isPending) return <div className="x-login-form" data-loading />;
  return (
    <Form<Fields>
      className="x-login-form"
      form={form}
      layout="vertical"
      size="large"
      requiredMark={false}
      initialValues={{
        ...last,
        tenantId: last.tenantId ?? only ?? (site.tenantMode ? undefined : site.defaultTenant),
      }}
      onFinish={action.run}
      disabled={action.busy}
    >
      <h2>{t('app.signIn.title')}</h2>
      {wasEnded() && !action.error && <Alert type="info" showIcon title={t('app.signIn.again')} />}
      {site.tenantMode && (
        <Form.Item name="tenantId" label={text.tenant} rules={required(text.tenant)}>
          <TenantField tenants={tenants} />
        </Form.Item>
      )}
      <Form.Item name="account" label={text.account} rules={required(text.account)}>
        <Input autoComplete="username" autoCapitalize="none" spellCheck={false} autoFocus={!last.account} />
      </Form.Item>
      <Form.Item name="password" label={password} rules={required(password)}>
        <Input.Password autoComplete="current-password" autoFocus={Boolean(last.account)} />
      </Form.Item>
      {slides && (
        <Form.Item label={t('app.signIn.slider')} required>
          {slider.data && !slider.error ? (
            <Slider
              key={slider.data.key}
              picture={slider.data}
              value={x}
              onChange={setX}
              onReload={() => slider.refetch()}
            />
          ) : (
            slider.error && <Button onClick={() => slider.refetch()}>{t('app.signIn.captchaFailed')}</Button>
          )}
        </Form.Item>
      )}
      {asksCode && !slides && (
        <Form.Item label={codeLabel} htmlFor="code" required>
          <div className="x-captcha">
            <Form.Item name="code" noStyle rules={required(codeLabel)}>
              <Input id="code" ref={code} autoComplete="off" autoCapitalize="none" maxLength={8} />
            </Form.Item>
            <button
              type="button"
              aria-label={t(captcha.error ? 'app.signIn.captchaFailed' : 'app.signIn.captchaImage')}
              onClick={() => captcha.refetch()}
            >
              {captcha.data && !captcha.error ? (
                <img src={captcha.data.image} alt="" />
              ) : (
                captcha.error && t('kit.retry')
              )}
            </button>
          </div>
        </Form.Item>
      )}
      {action.error ? (
        <div className="x-login-error">
          <ErrorLine error={action.error} />
        </div>
      ) : null}
      <Button type="primary" htmlType="submit" block loading={action.busy}>
        {t('app.signIn.submit')}
      </Button>
      {info.error instanceof ApiError && (
        <div className="x-login-error">
          <ErrorLine error={info.error} />
        </div>
      )}
    </Form>
  );
}

interface TenantFieldProps {
  id?: string;
  value?: string;
  onChange?: (value: string) => void;
  tenants: Wire<'ListedTenant'>[];
}

/** One of the tenants that let themselves be listed, or any id typed by hand. */
function TenantField({ id, value, onChange, tenants }: TenantFieldProps) {
  const { t } = useTranslation();
  const chosen = tenants.find((tenant) => tenant.tenantId === value);
  return (
    <AutoComplete
      id={id}
      value={value}
      onChange={onChange}
      showSearch={{
        // With a tenant chosen the list offers all of them again.
        filterOption: (text, option) =>
          Boolean(chosen) || String(option?.search).includes(text.trim().toLowerCase()),
      }}
      options={tenants.map(({ tenantId, tenantName }) => ({
        value: tenantId,
        search: `${tenantId} ${tenantName}`.toLowerCase(),
        label: (
          <span className="x-node">
            <span className="x-node-label">{tenantName}</span>
            <span className="x-node-count">{tenantId}</span>
          </span>
        ),
      }))}
    >
      <Input
        suffix={<span className="x-tenant-name">{chosen?.tenantName}</span>}
        placeholder={t('app.signIn.tenantHint')}
      />
    </AutoComplete>
  );
}
