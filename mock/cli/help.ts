/** What `--help` prints. */
export const help = `Usage: plant-store-mock [flags]

The Plant Store Service on a port of this machine, for tests and for trying out.

  --port PORT               port to listen on; 0 takes a free one (default 4010)
  --host HOST               host name or address to listen on (default 127.0.0.1)
  --base-path PATH          path in front of /plants, such as /v1
  --token TOKEN             a bearer token that is valid, may be given several times;
                            without it any token is
  --duplicate-ids MODE      accept (default), or reject with status 400
  --seed FILE               plants to start with: NDJSON, or a JSON array
  --cors                    let web pages of other origins call the service
  --log STYLE               one line a request on standard error: pretty (default on a
                            terminal), json (default elsewhere) or silent
  --control-token TOKEN     bearer token that calls of /_mock/ must carry
  --exit-with-parent        end when standard input, where it is a pipe, or the parent ends
  -h, --help                print this
  -v, --version             print the version

Standard output has one line when the mock is ready: JSON, or a few words on a terminal.
The console is at /_mock/, the control API at /_mock/openapi.json.
SIGTERM and SIGINT answer every request that was accepted, then end; a second one quits at once.

Exit status: 0 ended by a signal or with its parent, 1 cannot listen, 2 wrong flag or seed file,
128 + n quit at once by signal n.

Examples:
  plant-store-mock
  plant-store-mock --port 0 --log silent --exit-with-parent
  plant-store-mock --token secret --duplicate-ids reject --seed plants.ndjson
  curl http://127.0.0.1:4010/plants -H "Authorization: Bearer secret" \\
    -H "Content-Type: application/json" -d '{"id":1,"name":"Monstera deliciosa"}'
`;
