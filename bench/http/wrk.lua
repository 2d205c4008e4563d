wrk.method = "POST"
wrk.body = '{"id":42,"name":"Monstera deliciosa","tag":"araceae"}'
wrk.headers["Content-Type"] = "application/json"
wrk.headers["Authorization"] = "Bearer 0123456789abcdef0123456789abcdef"
