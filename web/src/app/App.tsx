/** The providers round everything: server state, theme and language, the router. */
import { QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { App as AntdApp, ConfigProvider } from 'antd';
import enUS from 'antd/es/locale/en_US';
import zhCN from 'antd/es/locale/zh_CN';
import { useEffect, useMemo, useRef, useState } from 'react';
import { RouterProvider } from 'react-router/dom';
import { ApiError } from '@/api/client';
import { useLanguage } from '@/i18n';
import { useStored } from '@/kit/useStored';
import { clearLock } from '@/session/lock';
import { net } from '@/session/net';
import { watchToken } from '@/session/refresh';
import { topMenu } from '@/session/rights';
import { currentSession, onSession } from '@/session/session';
import '@/session/sign';
import { useRest } from '@/kit/width';
import { router } from './router';
import { resetTabs } from './tabs';
import { applyTheme, chosen, themeOf } from './theme';

applyTheme();

function newClient(say: (text: string) => void): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        // Without a network what is kept is shown; see session/away.ts.
        networkMode: 'always',
        refetchOnReconnect: true,
        // Only a call that never arrived is worth a second try.
        retry: (failures, error) => failures < 2 && error instanceof ApiError && error.code === 0,
      },
    },
    queryCache: new QueryCache({
      onError: (error, query) => {
        // Without content the page itself says so in place; a lost connection has its own bar.
        if (query.state.data === undefined || !(error instanceof ApiError)) return;
        if (error.code !== 0 && !error.silent) say(error.msg);
      },
    }),
  });
}

function Data() {
  const { message } = AntdApp.useApp();
  const [client] = useState(() => newClient((text) => message.error({ content: text, key: text })));
  const language = useLanguage();
  const spoken = useRef(language);
  useEffect(watchToken, []);
  useEffect(() => {
    let userId = currentSession()?.userId;
    return onSession(() => {
      if (currentSession()?.userId === userId) return;
      userId = currentSession()?.userId;
      // What one person has seen must not be shown to the next.
      client.clear();
      resetTabs();
      clearLock();
      topMenu.set('');
    });
  }, [client]);
  useEffect(
    () =>
      net.listen(() => {
        if (!net.isDown()) client.invalidateQueries();
      }),
    [client],
  );
  useEffect(() => {
    if (spoken.current === language) return;
    spoken.current = language;
    // Names of dictionaries, menus and rows come in the caller's language.
    client.invalidateQueries();
  }, [client, language]);
  return (
    <QueryClientProvider client={client}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  );
}

export function App() {
  const language = useLanguage();
  const choice = useStored(chosen);
  const rest = useRest();
  const theme = useMemo(() => themeOf(choice, rest), [choice, rest]);
  useEffect(() => applyTheme(choice), [choice]);
  return (
    <ConfigProvider
      theme={theme}
      locale={language === 'zh-CN' ? zhCN : enUS}
      button={{ autoInsertSpace: false }}
    >
      <AntdApp component={false} message={{ maxCount: 3 }}>
        <Data />
      </AntdApp>
    </ConfigProvider>
  );
}
